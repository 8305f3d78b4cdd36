#include <sycl/sycl.hpp>

// The same kernel in every translation unit that includes this header.
inline void add(sycl::queue &queue, int *out, int amount) {
  queue.parallel_for(sycl::range<1>(100), [=](sycl::id<1> i) { out[i] += amount; });
}

template <class T> struct square {
  T *out;
  void operator()(sycl::id<1> i) const { out[i] *= out[i]; }
};
