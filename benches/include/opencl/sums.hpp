// Sums in OpenCL C (peers/opencl/sums.cl): many groups and a tree, or a few groups and the built-in
// group reduction.
#ifndef BENCHES_OPENCL_SUMS_HPP
#define BENCHES_OPENCL_SUMS_HPP

#include "device.hpp"

namespace opencl {

template <class T> class sums {
public:
  // `defines` defines the summed value.
  sums(device &target, const std::string &defines, std::size_t groups)
      : on(target), many(groups), few(4 * target.units()), parts(target.allocate<T>(std::max(many, few))) {
    const std::string text = defines + source("sums.cl");
    const program_id plain = on.build(text), newer = on.build(text, "-cl-std=CL2.0");
    by_tree = kernel(plain, "sum_groups");
    of_parts = kernel(plain, "sum_parts");
    by_builtin = kernel(newer, "sum_builtin");
  }

  void tree(const T *a, const T *b, T *total, std::size_t count) { run(by_tree, many, a, b, total, count); }
  void builtin(const T *a, const T *b, T *total, std::size_t count) { run(by_builtin, few, a, b, total, count); }

private:
  void run(kernel_id first, std::size_t groups, const T *a, const T *b, T *total, std::size_t count) {
    on.launch(first, {groups * group_size}, &group, a, b, parts, std::uint32_t(count));
    on.launch(of_parts, {group_size}, &group, parts, total, std::uint32_t(groups));
  }

  static constexpr std::size_t group_size = 256;

  device &on;
  extent group = {group_size};
  std::size_t many, few;
  T *parts;
  kernel_id by_tree, of_parts, by_builtin;
};

} // namespace opencl

#endif
