// What the copies of a queue and its events share.
//
// It owns the queue of the C interface, which is destroyed (and waited for) when the last queue or event is gone.
// Errors that a device reports late arrive at a wait. With an asynchronous handler they are kept for it until the
// program asks; without one they are thrown at the wait, because nobody else would ever see them.
#ifndef SYCL_DETAIL_QUEUE_STATE_HPP
#define SYCL_DETAIL_QUEUE_STATE_HPP

#include "../context.hpp"

namespace sycl::detail {

class queue_state : public counted {
public:
  queue_state(const context &queue_context, const device &queue_device, const async_handler &async,
              const property_list &list)
      : members(queue_context), target(queue_device),
        handler(async ? async : queue_context.sinter_async_handler()), properties(list) {
    if (!members.sinter_contains(target))
      raise(errc::invalid, "the device of a queue must belong to its context");
    if (list.has_property<property::queue::enable_profiling>() && !target.has(aspect::queue_profiling))
      raise(errc::feature_not_supported, "the device lacks aspect::queue_profiling");
    check(sinter_queue_create(target.sinter_number(), &queue));
  }
  ~queue_state() { sinter_queue_destroy(queue); }

  sinter_queue *get() const noexcept { return queue; }

  void wait(std::uint64_t ticket) { settle(sinter_queue_wait(queue, ticket)); }
  void wait_all() { settle(sinter_queue_wait_all(queue)); }

  // Hands the errors collected so far to the handler.
  void throw_asynchronous() {
    lock();
    std::vector<std::exception_ptr> errors;
    errors.swap(pending);
    unlock();
    if (!errors.empty())
      handler(exception_list(std::move(errors)));
  }

  const context members;
  const device target;
  const async_handler handler;
  const property_list properties;

private:
  void settle(sinter_status status) {
    if (__builtin_expect(status == SINTER_SUCCESS, 1))
      return;
    if (!handler)
      raise(status);
    std::exception_ptr error = std::make_exception_ptr(failure(status));
    lock();
    pending.push_back(std::move(error));
    unlock();
  }

  // Taken on failures only.
  void lock() noexcept {
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {
    }
  }
  void unlock() noexcept { __atomic_clear(&locked, __ATOMIC_RELEASE); }

  sinter_queue *queue = nullptr;
  std::vector<std::exception_ptr> pending;
  bool locked = false;
};

} // namespace sycl::detail

#endif
