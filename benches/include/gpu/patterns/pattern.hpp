// Interface of a pattern in the patterns suite.
//
// A pattern is a struct with the data of one kernel, constructed from a device and a flag for small
// sizes. It has `reset(device)`, which overwrites or clears the outputs, and `correct(device)`,
// which compares them with a reference on the host. Each side overloads `submit(device, pattern)`,
// which launches the kernel in the usual style of that side.
#ifndef BENCHES_GPU_PATTERNS_PATTERN_HPP
#define BENCHES_GPU_PATTERNS_PATTERN_HPP

#include "../compare.hpp"

namespace gpu::patterns {

// Minimum work of one launch; 0 if no ceiling limits it.
struct pattern {
  double bytes = 0, operations = 0;
};

constexpr std::size_t group_size = 256;

// A size for the GPU, or a small one for a quick run on any device.
inline std::size_t sized(bool small, std::size_t large, std::size_t little) { return small ? little : large; }

// A pattern that maps an array of random words to an array of the same length.
struct pattern_of_words : pattern {
  std::size_t count;
  const std::uint32_t *in;
  std::uint32_t *out;

  template <class Device>
  pattern_of_words(Device &device, std::size_t words, std::uint32_t seed)
      : count(words), in(device.random_words(count, seed)), out(device.template allocate<std::uint32_t>(count)) {
    bytes = 2.0 * sizeof(std::uint32_t) * count;
  }

  template <class Device> void reset(Device &device) const { device.poison(out, count); }
};

// Generates values on the host.
template <class F> auto filled(std::size_t count, const F &value) {
  std::vector<decltype(value(std::size_t(0)))> all(count);
  for (std::size_t i = 0; i < count; i++)
    all[i] = value(i);
  return all;
}

// True if all integers are equal. Prints the first difference.
template <class T> bool same(const char *what, const std::vector<T> &found, const std::vector<T> &wanted) {
  for (std::size_t i = 0; i < wanted.size(); i++)
    if (found[i] != wanted[i]) {
      std::fprintf(stderr, "%s: element %zu is %lld, expected %lld\n", what, i, static_cast<long long>(found[i]),
                   static_cast<long long>(wanted[i]));
      return false;
    }
  return true;
}

// True if all numbers are near the expected ones, relative to `scale`, or to the number itself if
// `scale` is 0.
template <class T>
bool close(const char *what, const std::vector<T> &found, const std::vector<double> &wanted, double tolerance,
           double scale = 0) {
  for (std::size_t i = 0; i < wanted.size(); i++)
    if (!near(what, i, found[i], wanted[i], scale != 0 ? scale : std::fabs(wanted[i]) + 1e-30, tolerance))
      return false;
  return true;
}

template <class Pattern, class Device> test of(const char *name, Device &device, bool small) {
  const Pattern p(device, small);
  return {name,
          [p, &device] { submit(device, p); },
          [p, &device] { p.reset(device); },
          [p, &device] { return p.correct(device); },
          p.bytes,
          p.operations};
}

} // namespace gpu::patterns

#endif
