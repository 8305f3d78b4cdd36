// The tests of the stream suite: copy, mul, add, triad and dot over arrays of doubles, and a plain
// copy by the driver.
//
// `Kernels` has one function per operation. Those of `range` leave the work-group size to the
// runtime, which those of `chosen` query; in the peer it is 128. Those of `groups` have 256
// work-items in a group. A peer with `has_library` has `dot_library` too, and the harness takes the
// faster of the two.
#ifndef BENCHES_GPU_STREAM_HPP
#define BENCHES_GPU_STREAM_HPP

#include "compare.hpp"

namespace gpu::stream {

constexpr double scalar = 0.4;
constexpr std::size_t group_size = 256;
// Work-groups of the peer's dot product and of all hand-written reductions: 8 of 256 on each of 132
// multiprocessors.
constexpr std::size_t reduction_groups = 1056;

inline std::size_t elements(const options &chosen) { return chosen.size(std::size_t(1) << 28, 1 << 22, 1 << 18); }

template <class Device> struct arrays {
  std::size_t count;
  double *a, *b, *c, *sum;

  arrays(Device &device, std::size_t n)
      : count(n), a(device.template random<double>(n, 1, 0.5, 1.5)), b(device.template random<double>(n, 2, 0.5, 1.5)),
        c(device.template allocate<double>(n)), sum(device.template allocate<double>(1)) {}
  static double at_a(std::size_t i) { return random_real<double>(1, i, 0.5, 1.5); }
  static double at_b(std::size_t i) { return random_real<double>(2, i, 0.5, 1.5); }
};

// The sum over all elements, computed on the host.
template <class Device> double dot(std::size_t count) {
  double total = 0;
  for (std::size_t i = 0; i < count; i++)
    total += arrays<Device>::at_a(i) * arrays<Device>::at_b(i);
  return total;
}

template <class Device, class F, class W>
test elementwise(Device &device, const arrays<Device> &data, const char *name, std::size_t traffic, F launch,
                 W wanted, std::function<std::string()> group) {
  const auto poison = [&device, data] { device.poison(data.c, data.count); };
  const auto correct = [&device, data, name, wanted] {
    return agrees(device, name, data.c, data.count, 1e-15, wanted);
  };
  return {name, launch, poison, correct, double(traffic * sizeof(double) * data.count), 0, timing::batch, group};
}

template <class Device, class Kernels> std::vector<test> tests(Device &device, Kernels &kernels, std::size_t count) {
  using at = arrays<Device>;
  const at data(device, count);
  std::vector<test> all;
  const auto add = [&](const char *name, std::size_t traffic, auto launch, auto wanted,
                       std::function<std::string()> group = {}) {
    all.push_back(elementwise(device, data, name, traffic, launch, wanted, group));
  };
  const auto same = [](std::size_t i) { return at::at_a(i); };
  const auto scaled = [](std::size_t i) { return scalar * at::at_a(i); };
  const auto added = [](std::size_t i) { return at::at_a(i) + at::at_b(i); };
  const auto triple = [](std::size_t i) { return at::at_a(i) + scalar * at::at_b(i); };
  add("memcpy", 2, [&, data] { kernels.plain(data); }, same);
  add("copy", 2, [&, data] { kernels.copy_range(data); }, same, [&, data] { return kernels.copy_chosen(data); });
  add("mul", 2, [&, data] { kernels.mul_range(data); }, scaled, [&, data] { return kernels.mul_chosen(data); });
  add("add", 3, [&, data] { kernels.add_range(data); }, added, [&, data] { return kernels.add_chosen(data); });
  add("triad", 3, [&, data] { kernels.triad_range(data); }, triple, [&, data] { return kernels.triad_chosen(data); });
  add("copy_nd", 2, [&, data] { kernels.copy_groups(data); }, same);
  add("mul_nd", 2, [&, data] { kernels.mul_groups(data); }, scaled);
  add("add_nd", 3, [&, data] { kernels.add_groups(data); }, added);
  add("triad_nd", 3, [&, data] { kernels.triad_groups(data); }, triple);
  const auto correct = [&device, data] {
    const double wanted = dot<Device>(data.count);
    return near("dot", 0, device.read(data.sum, 1)[0], wanted, wanted, 1e-9);
  };
  const auto add_dot = [&](const char *name, auto launch) {
    const auto poison = [&device, data] { device.poison(data.sum, 1); };
    all.push_back({name, launch, poison, correct, double(2 * sizeof(double) * count), 0});
  };
  add_dot("dot", [&, data] { kernels.dot(data); });
  if constexpr (Kernels::has_library)
    add_dot("dot_library", [&, data] { kernels.dot_library(data); });
  return all;
}

} // namespace gpu::stream

#endif
