// Declarations shared by the units.
#include <sycl/sycl.hpp>

inline constexpr int offsets[] = {100, 200, 300, 400};
inline constexpr sycl::specialization_id<int> scale(5);

// Exported by every unit that uses them.
SYCL_EXTERNAL inline int in_every_unit(int x) { return 3 * x + offsets[x & 3]; }
template <class T> SYCL_EXTERNAL T twice(T x) { return x + x; }

// main.cpp -> first.cpp -> main.cpp -> second.cpp
SYCL_EXTERNAL int through_first(int x);
SYCL_EXTERNAL int back_in_main(int x);
SYCL_EXTERNAL int through_second(int x);
// first.cpp and second.cpp call each other until the argument is 0.
SYCL_EXTERNAL int count_in_first(int x);
SYCL_EXTERNAL int count_in_second(int x);
// Reads a specialization constant in a unit other than the kernel's.
SYCL_EXTERNAL int scaled(int x, const sycl::kernel_handler &constants);
SYCL_EXTERNAL int scaled_through_first(int x, const sycl::kernel_handler &constants);
