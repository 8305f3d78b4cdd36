// Device selectors: functions from a device to a score.
//
// The device with the highest score is taken, the first one of equals, none with a negative score. Where no device
// qualifies, the exception lists those there are.
#ifndef SYCL_SELECTOR_HPP
#define SYCL_SELECTOR_HPP

#include "device.hpp"

namespace sycl {

struct default_selector {
  int operator()(const device &candidate) const { return candidate.is_gpu() ? 3 : candidate.is_cpu() ? 2 : 1; }
};
struct cpu_selector {
  int operator()(const device &candidate) const { return candidate.is_cpu() ? 1 : -1; }
};
struct gpu_selector {
  int operator()(const device &candidate) const { return candidate.is_gpu() ? 1 : -1; }
};
struct accelerator_selector {
  int operator()(const device &candidate) const { return candidate.is_accelerator() ? 1 : -1; }
};

inline constexpr default_selector default_selector_v{};
inline constexpr cpu_selector cpu_selector_v{};
inline constexpr gpu_selector gpu_selector_v{};
inline constexpr accelerator_selector accelerator_selector_v{};

namespace detail {

class aspects_selector {
public:
  aspects_selector(std::vector<aspect> must, std::vector<aspect> must_not)
      : wanted(std::move(must)), unwanted(std::move(must_not)) {}
  int operator()(const device &candidate) const {
    for (const aspect one : wanted)
      if (!candidate.has(one))
        return -1;
    for (const aspect one : unwanted)
      if (candidate.has(one))
        return -1;
    return default_selector_v(candidate);
  }

private:
  std::vector<aspect> wanted, unwanted;
};

[[noreturn]] __attribute__((noinline, cold)) inline void no_match() {
  std::string text = "no device fits the selector; the devices are:";
  const char *separator = " ";
  for (const device &present : device::get_devices()) {
    const char *type = present.is_cpu() ? "cpu" : present.is_gpu() ? "gpu" : "accelerator";
    text += separator + present.get_info<info::device::name>() + " (" + type + ", driver " +
            device_text(present.sinter_number(), SINTER_DEVICE_DRIVER_NAME) + ")";
    separator = "; ";
  }
  if (*separator == ' ')
    text += " none";
  raise(errc::runtime, text + ". SINTER_VISIBILITY_MASK may hide others; sinter-info shows what each driver finds");
}

template <class Selector> std::uint32_t select(const Selector &selector) {
  const std::uint32_t count = device_count();
  std::uint32_t best = count;
  int best_score = -1;
  for (std::uint32_t number = 0; number < count; ++number) {
    const int score = selector(device::from_sinter_number(number));
    if (score > best_score) {
      best = number;
      best_score = score;
    }
  }
  if (best == count)
    no_match();
  return best;
}

inline std::uint32_t default_device() { return select(default_selector_v); }

} // namespace detail

inline auto aspect_selector(const std::vector<aspect> &wanted, const std::vector<aspect> &unwanted = {}) {
  return detail::aspects_selector(wanted, unwanted);
}
template <class... Aspects, detail::enable_if<(std::is_same_v<Aspects, aspect> && ...)> = 0>
auto aspect_selector(Aspects... wanted) {
  return detail::aspects_selector({wanted...}, {});
}
template <aspect... Wanted> auto aspect_selector() { return detail::aspects_selector({Wanted...}, {}); }

} // namespace sycl

#endif
