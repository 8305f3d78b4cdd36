// context: a list of devices.
//
// The runtime has no contexts of its own: memory belongs to a device, code objects to the process. Two contexts are
// equal if they hold the same devices, so that all queues of a platform share their default context.
#ifndef SYCL_CONTEXT_HPP
#define SYCL_CONTEXT_HPP

#include "platform.hpp"

namespace sycl {

class context {
public:
  explicit context(const property_list & = {}) : context(device()) {}
  explicit context(const async_handler &async, const property_list & = {}) : context(device(), async) {}
  explicit context(const device &member, const property_list & = {}) : context(std::vector<device>{member}) {}
  explicit context(const device &member, const async_handler &async, const property_list & = {})
      : context(std::vector<device>{member}, async) {}
  explicit context(const platform &whole, const property_list & = {}) : context(whole.get_devices()) {}
  explicit context(const platform &whole, const async_handler &async, const property_list & = {})
      : context(whole.get_devices(), async) {}
  explicit context(const std::vector<device> &members, const property_list & = {})
      : context(members, async_handler()) {}
  explicit context(const std::vector<device> &members, const async_handler &async, const property_list & = {})
      : state(detail::shared<content>::adopt(new content(members, async))) {
    if (members.empty())
      detail::raise(errc::invalid, "a context needs at least one device");
  }

  std::vector<device> get_devices() const { return state->devices; }
  platform get_platform() const { return state->devices.front().get_platform(); }
  backend get_backend() const { return state->devices.front().get_backend(); }

  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }

  friend bool operator==(const context &a, const context &b) noexcept {
    return a.state == b.state || a.state->devices == b.state->devices;
  }
  friend bool operator!=(const context &a, const context &b) noexcept { return !(a == b); }

  // What the rest of the headers needs.
  const device &sinter_first_device() const noexcept { return state->devices.front(); }
  const async_handler &sinter_async_handler() const noexcept { return state->handler; }
  bool sinter_contains(const device &wanted) const noexcept {
    for (const device &member : state->devices)
      if (member == wanted)
        return true;
    return false;
  }

private:
  struct content : detail::counted {
    content(const std::vector<device> &members, const async_handler &async) : devices(members), handler(async) {}
    std::vector<device> devices;
    async_handler handler;
  };

  platform answer(info::context::platform) const { return get_platform(); }
  std::vector<device> answer(info::context::devices) const { return get_devices(); }
  std::vector<memory_order> answer(info::context::atomic_memory_order_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_memory_order_capabilities>();
  }
  std::vector<memory_scope> answer(info::context::atomic_memory_scope_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_memory_scope_capabilities>();
  }

  std::vector<memory_order> answer(info::context::atomic_fence_order_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_fence_order_capabilities>();
  }
  std::vector<memory_scope> answer(info::context::atomic_fence_scope_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_fence_scope_capabilities>();
  }

  detail::shared<content> state;
};

inline context exception::get_context() const {
  detail::raise(errc::invalid, "the exception has no context");
}

} // namespace sycl

template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &value) const noexcept {
    return value.sinter_first_device().sinter_number();
  }
};

#endif
