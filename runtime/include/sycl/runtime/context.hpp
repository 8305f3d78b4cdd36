// context: a list of devices.
//
// The runtime has no contexts of its own: memory belongs to a device, code objects to the process.
// A context equals only its copies. Queues constructed without one have a copy of their platform's
// default context.
#ifndef SYCL_CONTEXT_HPP
#define SYCL_CONTEXT_HPP

#include "platform.hpp"

namespace sycl {

class context {
public:
  explicit context(const property_list & = {}) { create({device()}, {}); }
  explicit context(const async_handler &async, const property_list & = {}) { create({device()}, async); }
  explicit context(const device &member, const property_list & = {}) { create({member}, {}); }
  explicit context(const device &member, const async_handler &async, const property_list & = {}) {
    create({member}, async);
  }
  explicit context(const platform &whole, const property_list & = {}) { create(whole.get_devices(), {}); }
  explicit context(const platform &whole, const async_handler &async, const property_list & = {}) {
    create(whole.get_devices(), async);
  }
  explicit context(const std::vector<device> &members, const property_list & = {}) { create(members, {}); }
  explicit context(const std::vector<device> &members, const async_handler &async, const property_list & = {}) {
    create(members, async);
  }

  // A copy of the default context of the platform: all its devices, and no handler.
  static context sinter_default_of(const device &member) { return defaults().of(member); }

  std::vector<device> get_devices() const { return state->devices; }
  bool is_host() const noexcept { return false; }
  platform get_platform() const { return state->devices.front().get_platform(); }
  backend get_backend() const noexcept { return state->devices.front().get_backend(); }

  template <class Info> typename Info::return_type get_info() const { return answer(Info()); }

  SINTER_OWNER_BEFORE
  friend bool operator==(const context &a, const context &b) noexcept { return a.state == b.state; }
  friend bool operator!=(const context &a, const context &b) noexcept { return !(a == b); }

  // For use by the other headers.
  bool sinter_is_default() const noexcept { return state->is_default; }
  std::size_t sinter_hash() const noexcept { return reinterpret_cast<std::size_t>(state.get()); }
  const device &sinter_first_device() const noexcept { return state->devices.front(); }
  const async_handler &sinter_async_handler() const noexcept { return state->handler; }
  bool sinter_contains(const device &wanted) const { return state->contains(wanted); }

private:
  friend detail::weak_access;
  struct content : detail::counted {
    content(const std::vector<device> &members, const async_handler &async) : devices(members), handler(async) {}
    // True also for a part of a member.
    bool contains(const device &wanted) const {
      for (const device &member : devices)
        if (member == wanted)
          return true;
      const std::uint32_t parent = wanted.sinter_parent();
      return parent != UINT32_MAX && contains(device::from_sinter_number(parent));
    }

    std::vector<device> devices;
    async_handler handler;
    bool is_default = false;
    content *next_default = nullptr;
  };

  // The default contexts requested so far, in a list that only grows and is never destroyed.
  struct default_contexts {
    context of(const device &member) {
      content *const searched = __atomic_load_n(&first, __ATOMIC_ACQUIRE);
      for (content *one = searched; one; one = one->next_default)
        if (one->contains(member))
          return context(detail::shared<content>::share(one));
      return add(context(member.get_platform()), searched, member);
    }

  private:
    // Inserts at the head of the list that was searched. If another thread has inserted a context
    // since, searches again: it may be for the same platform.
    context add(const context &made, content *searched, const device &member) {
      made.state->is_default = true;
      made.state->next_default = searched;
      if (!__atomic_compare_exchange_n(&first, &made.state->next_default, made.state.get(), false, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE))
        return of(member); // another thread was faster
      detail::shared<content>::keep(made.state.get());
      return made;
    }

    content *first = nullptr;
  };
  __attribute__((visibility("default"))) static default_contexts &defaults() {
    static default_contexts all;
    return all;
  }

  void create(const std::vector<device> &members, const async_handler &async) {
    if (members.empty())
      detail::raise(errc::invalid, "a context needs at least one device");
    state = detail::shared<content>::adopt(new content(members, async));
  }
  explicit context(detail::shared<content> whole) noexcept : state(static_cast<detail::shared<content> &&>(whole)) {}

  // Queries that return vectors are templates, so that a program compiles only those that it uses.
  platform answer(info::context::platform) const { return get_platform(); }
  std::vector<device> answer(info::context::devices) const { return get_devices(); }
  template <class List = std::vector<memory_order>> List answer(info::context::atomic_memory_order_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_memory_order_capabilities>();
  }
  template <class List = std::vector<memory_scope>> List answer(info::context::atomic_memory_scope_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_memory_scope_capabilities>();
  }

  template <class List = std::vector<memory_order>> List answer(info::context::atomic_fence_order_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_fence_order_capabilities>();
  }
  template <class List = std::vector<memory_scope>> List answer(info::context::atomic_fence_scope_capabilities) const {
    return sinter_first_device().get_info<info::device::atomic_fence_scope_capabilities>();
  }

  detail::shared<content> state;
};

inline context platform::ext_oneapi_get_default_context() const { return context::sinter_default_of(get_devices().front()); }
inline context platform::khr_get_default_context() const { return ext_oneapi_get_default_context(); }

inline exception::exception(const context &where, std::error_code code, const std::string &what)
    : error(code), text(what), owner(std::make_shared<const context>(where)) {}

inline context exception::get_context() const {
  if (!owner)
    detail::raise(errc::invalid, "the exception has no context");
  return *owner;
}

} // namespace sycl

template <> struct std::hash<sycl::context> {
  std::size_t operator()(const sycl::context &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
