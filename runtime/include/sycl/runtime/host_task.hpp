// The function of a host task, and its argument interop_handle.
//
// The function object is owned by the runtime until its ticket is complete; its destructor may
// therefore use the queue. An exception is an asynchronous error of the queue.
#ifndef SYCL_HOST_TASK_HPP
#define SYCL_HOST_TASK_HPP

#include "../index/item.hpp"
#include "../memory/access.hpp"
#include "event.hpp"

namespace sycl {

template <backend Backend> class backend_traits;

namespace detail {

// Stands for a buffer of any type.
class native_memory;

template <backend Backend> void check_backend(const device &target);
template <class Handle> Handle native_handle(void *handle) noexcept {
  if constexpr (std::is_pointer_v<Handle>)
    return static_cast<Handle>(handle);
  else
    return static_cast<Handle>(reinterpret_cast<std::intptr_t>(handle));
}

} // namespace detail

// The native handles of the queue that a host task was submitted to. The program must wait for what
// it submits to them before the host task returns.
class interop_handle {
public:
  interop_handle() = delete;

  backend get_backend() const noexcept { return state->target.get_backend(); }
  bool ext_codeplay_has_graph() const noexcept { return false; }

  template <backend Backend, class Traits = backend_traits<Backend>> auto get_native_queue() const {
    return get<Backend, typename Traits::template return_type<queue>>(SINTER_NATIVE_STREAM);
  }
  template <backend Backend, class Traits = backend_traits<Backend>> auto get_native_device() const {
    return get<Backend, typename Traits::template return_type<device>>(SINTER_NATIVE_DEVICE);
  }
  template <backend Backend, class Traits = backend_traits<Backend>> auto get_native_context() const {
    return get<Backend, typename Traits::template return_type<context>>(SINTER_NATIVE_CONTEXT);
  }

  // The device's memory of a buffer, of backends with addresses. The command group requires the
  // accessor.
  template <backend Backend, class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Kind,
            class Traits = backend_traits<Backend>>
  auto get_native_mem(const accessor<Type, Dimensions, Mode, Target, Kind> &part) const {
    using handle = typename Traits::template return_type<detail::native_memory>;
    detail::check_backend<Backend>(state->target);
    if (part.is_placeholder())
      detail::raise(errc::invalid, "the accessor of get_native_mem is one that the command group requires");
    return detail::native_handle<handle>(const_cast<void *>(static_cast<const void *>(&*part.get_pointer())));
  }

private:
  friend detail::maker;
  explicit interop_handle(const detail::shared<detail::queue_state> &queue) noexcept : state(queue) {}

  template <backend Backend, class Handle> Handle get(sinter_native what) const {
    detail::check_backend<Backend>(state->target);
    void *handle = nullptr;
    detail::check(sinter_queue_get_native(state->get(), what, &handle));
    return detail::native_handle<Handle>(handle);
  }

  detail::shared<detail::queue_state> state;
};

namespace detail {

template <class Callable>
inline constexpr bool is_host_task = std::is_invocable_v<Callable &> || std::is_invocable_v<Callable &, interop_handle>;

// A host task with its queue, which it gives up when it has run, unless nothing else refers to the
// queue. The functions have the types of sinter_queue_host_task.
struct any_host_task {
  shared<queue_state> state;
  void (*run)(void *task);
  void (*release)(void *task);
};
template <class Callable> struct host_task : any_host_task {
  host_task(const shared<queue_state> &queue, Callable callable)
      : any_host_task{queue, call, destroy}, function(static_cast<Callable &&>(callable)) {}

  Callable function;

private:
  static void call(void *task) {
    auto &self = *static_cast<host_task *>(static_cast<any_host_task *>(task));
    try {
      if constexpr (std::is_invocable_v<Callable &, interop_handle>)
        self.function(maker::make<interop_handle>(self.state));
      else
        self.function();
    } catch (...) {
      self.state->add_error(std::current_exception());
    }
    // A program that waited for the task may end next. If the last reference were that of the task,
    // the queue's end, which reports errors, would be on the task's thread and come too late.
    self.state.release_unless_last();
  }
  static void destroy(void *task) { delete static_cast<host_task *>(static_cast<any_host_task *>(task)); }
};

} // namespace detail
} // namespace sycl

#endif
