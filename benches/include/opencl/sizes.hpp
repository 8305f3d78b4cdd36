// Additional tests with other work-group sizes for kernels whose size the device chooses, since
// users try some, too.
#ifndef BENCHES_OPENCL_SIZES_HPP
#define BENCHES_OPENCL_SIZES_HPP

#include "device.hpp"

namespace opencl {

struct named_extent {
  const char *name; // suffix of the test's name
  extent group;
};

// `chosen` points to the group size that replaces the device's choice; null lets the device choose.
inline void add_sizes(std::vector<gpu::test> &tests, const std::string &name, const extent *&chosen,
                      const std::vector<named_extent> &sizes) {
  const gpu::test *const found = gpu::find(tests, name);
  if (!found)
    std::exit(1);
  const gpu::test original = *found;
  for (const named_extent &one : sizes) {
    gpu::test other = original;
    other.name += one.name;
    other.launch = [&chosen, launch = original.launch, group = one.group] {
      chosen = &group;
      launch();
      chosen = nullptr;
    };
    tests.push_back(other);
  }
}

} // namespace opencl

#endif
