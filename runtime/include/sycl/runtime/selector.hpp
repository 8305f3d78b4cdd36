// Device selectors: functions from a device to a score.
//
// The device with the highest score is selected, the first one among equals, none with a negative
// score. If no device qualifies, the exception lists the available ones.
#ifndef SYCL_SELECTOR_HPP
#define SYCL_SELECTOR_HPP

#include "device.hpp"

namespace sycl {

// Base class of selectors of SYCL 1.2.1.
class device_selector {
public:
  virtual ~device_selector() = default;
  virtual int operator()(const device &candidate) const = 0;
  device select_device() const { return device(*this); }
};

namespace detail {

struct default_score {
  int operator()(const device &candidate) const { return candidate.is_gpu() ? 3 : candidate.is_cpu() ? 2 : 1; }
};
struct cpu_score {
  int operator()(const device &candidate) const { return candidate.is_cpu() ? 1 : -1; }
};
struct gpu_score {
  int operator()(const device &candidate) const { return candidate.is_gpu() ? 1 : -1; }
};
struct accelerator_score {
  int operator()(const device &candidate) const { return candidate.is_accelerator() ? 1 : -1; }
};
// SYCL 1.2.1 had a device for kernels compiled with the program. Here it is the CPU of the host
// driver.
struct host_score {
  int operator()(const device &candidate) const { return candidate.get_backend() == backend::host ? 1 : -1; }
};

template <class Score> class scored_selector : public device_selector {
public:
  int operator()(const device &candidate) const override { return Score()(candidate); }
};

} // namespace detail

class default_selector : public detail::scored_selector<detail::default_score> {};
class cpu_selector : public detail::scored_selector<detail::cpu_score> {};
class gpu_selector : public detail::scored_selector<detail::gpu_score> {};
class accelerator_selector : public detail::scored_selector<detail::accelerator_score> {};
class host_selector : public detail::scored_selector<detail::host_score> {};

inline constexpr detail::default_score default_selector_v{};
inline constexpr detail::cpu_score cpu_selector_v{};
inline constexpr detail::gpu_score gpu_selector_v{};
inline constexpr detail::accelerator_score accelerator_selector_v{};

namespace detail {

// The bit of an aspect in a set.
inline std::uint64_t bit_of(aspect one) noexcept { return std::uint64_t(1) << static_cast<int>(one); }
template <class List> std::uint64_t bits_of(const List &aspects) {
  std::uint64_t bits = 0;
  for (const aspect one : aspects)
    bits |= bit_of(one);
  return bits;
}

class aspects_selector {
public:
  aspects_selector(std::uint64_t must, std::uint64_t must_not) noexcept : wanted(must), unwanted(must_not) {}
  int operator()(const device &candidate) const {
    for (int one = 0; one <= static_cast<int>(aspect::usm_system_allocations); ++one) {
      const std::uint64_t bit = bit_of(static_cast<aspect>(one));
      if (((wanted | unwanted) & bit) != 0 && candidate.has(static_cast<aspect>(one)) != ((wanted & bit) != 0))
        return -1;
    }
    return (wanted & unwanted) != 0 ? -1 : default_selector_v(candidate);
  }

private:
  std::uint64_t wanted, unwanted;
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
  if (*separator == ' ') // no devices: the runtime reports why
    device_text(0, SINTER_DEVICE_NAME);
  raise(errc::runtime, text + ". sinter-info shows what each driver finds, and which setting hides devices");
}

template <class Selector> std::uint32_t select(const Selector &given) {
  std::conditional_t<is_const_selector<Selector>, const Selector &, Selector> selector = given;
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

// The backend of a default-constructed queue; without any device, that of the host.
__attribute__((noinline, cold)) inline backend default_backend() noexcept {
  try {
    return device::from_sinter_number(default_device()).get_backend();
  } catch (const exception &) {
    return backend::host;
  }
}

} // namespace detail

inline device::device(const device_selector &selector) : number(detail::select(selector)) {}

inline auto aspect_selector(const std::vector<aspect> &wanted, const std::vector<aspect> &unwanted = {}) {
  return detail::aspects_selector(detail::bits_of(wanted), detail::bits_of(unwanted));
}
template <class... Aspects, detail::enable_if<(std::is_same_v<Aspects, aspect> && ...)> = 0>
auto aspect_selector(Aspects... wanted) {
  return detail::aspects_selector((std::uint64_t(0) | ... | detail::bit_of(wanted)), 0);
}
template <aspect... Wanted> auto aspect_selector() {
  return detail::aspects_selector((std::uint64_t(0) | ... | detail::bit_of(Wanted)), 0);
}

} // namespace sycl

#endif
