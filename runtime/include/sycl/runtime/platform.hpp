// platform: the devices of one driver.
//
// A platform is represented by its first device, so it is a plain value like a device.
#ifndef SYCL_PLATFORM_HPP
#define SYCL_PLATFORM_HPP

#include "device.hpp"
#include "selector.hpp"

namespace sycl {

class platform {
public:
  platform() : platform(device()) {}
  template <class Selector, detail::enable_if<detail::is_selector<Selector>> = 0>
  explicit platform(const Selector &selector) : platform(device(selector)) {}

  static std::vector<platform> get_platforms();

  std::vector<device> get_devices(info::device_type type = info::device_type::all) const;
  bool is_host() const noexcept { return false; }
  backend get_backend() const noexcept { return detail::backend_of(driver(first)); }
  bool has(aspect wanted) const {
    for (const device &member : get_devices())
      if (!member.has(wanted))
        return false;
    return true;
  }

  bool has_extension(const std::string &) const { return false; }
  // The context of queues that are made without one.
  context ext_oneapi_get_default_context() const;
  context khr_get_default_context() const;

  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }

  friend bool operator==(const platform &a, const platform &b) noexcept { return a.first == b.first; }
  friend bool operator!=(const platform &a, const platform &b) noexcept { return a.first != b.first; }
  std::size_t sinter_hash() const noexcept { return first; }

private:
  friend class device;
  explicit platform(const device &member);

  static std::string driver(std::uint32_t device) { return detail::device_text(device, SINTER_DEVICE_DRIVER_NAME); }

  std::string answer(info::platform::name) const { return "Sinter " + driver(first); }
  std::string answer(info::platform::vendor) const { return detail::device_text(first, SINTER_DEVICE_VENDOR); }
  std::string answer(info::platform::version) const { return sinter_version(); }
  std::string answer(info::platform::profile) const { return "FULL_PROFILE"; }
  template <class List = std::vector<std::string>> List answer(info::platform::extensions) const { return {}; }

  std::uint32_t first;
};

inline platform::platform(const device &member) : first(0) {
  const std::string wanted = driver(member.sinter_number());
  while (driver(first) != wanted)
    ++first;
}

inline std::vector<platform> platform::get_platforms() {
  std::vector<platform> found;
  for (const device &member : device::get_devices()) {
    const platform candidate(member);
    bool known = false;
    for (const platform &other : found)
      known = known || other == candidate;
    if (!known)
      found.push_back(candidate);
  }
  return found;
}

inline std::vector<device> platform::get_devices(info::device_type type) const {
  std::vector<device> members;
  for (const device &candidate : device::get_devices(type))
    if (candidate.get_platform() == *this)
      members.push_back(candidate);
  return members;
}

inline platform device::get_platform() const { return platform(*this); }
inline platform device::answer(info::device::platform) const { return platform(*this); }

} // namespace sycl

template <> struct std::hash<sycl::platform> {
  std::size_t operator()(const sycl::platform &value) const noexcept { return value.sinter_hash(); }
};
template <> struct std::hash<sycl::device> {
  std::size_t operator()(const sycl::device &value) const noexcept { return value.sinter_number(); }
};

#endif
