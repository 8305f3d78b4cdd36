// State shared by the copies of a queue and its events.
//
// It owns the queue of the C interface, which is waited for and destroyed with the last queue or
// event. Asynchronous errors are reported by a wait. With an asynchronous handler they are kept
// until the program requests them, or the end of the queue; without one the wait throws them,
// because they would be lost otherwise.
#ifndef SYCL_DETAIL_QUEUE_STATE_HPP
#define SYCL_DETAIL_QUEUE_STATE_HPP

#include "../runtime/context.hpp"

#include <memory>

namespace sycl::detail {

class queue_state : public counted {
public:
  queue_state(const context &queue_context, const device &queue_device, const async_handler &async,
              const property_list &list)
      : members(queue_context), target(queue_device),
        handler(async ? async : queue_context.sinter_async_handler()), properties(list),
        profiled(list.has_property<property::queue::enable_profiling>()) {
    check_member();
    if (profiled && !target.has(aspect::queue_profiling))
      raise(errc::feature_not_supported, "the device lacks aspect::queue_profiling");
    check(sinter_queue_create(target.sinter_number(), &queue));
    if (profiled)
      enable_profiling();
    if (list.has_property<sinter::property::queue::jit>())
      take(sinter_queue_set_jit_mode(queue, static_cast<::sinter_jit_mode>(list.sinter_jit_mode)));
  }
  // Submits to a stream of the program.
  queue_state(const context &queue_context, const device &queue_device, const async_handler &async, void *stream)
      : members(queue_context), target(queue_device),
        handler(async ? async : queue_context.sinter_async_handler()), properties(property::queue::in_order()),
        profiled(false) {
    check_member();
    check(sinter_queue_create_from_native(target.sinter_number(), stream, &queue));
  }
  ~queue_state() {
    if (handler) {
      collect(true);
      throw_asynchronous();
    }
    sinter_queue_destroy(queue);
    while (scratches)
      drop_scratch();
    while (kept_memory *const one = kept) {
      kept = one->next;
      delete one;
    }
  }

  sinter_queue *get() const noexcept { return queue; }

  void wait(std::uint64_t ticket) { settle(sinter_queue_wait(queue, ticket)); }
  void wait_all() { settle(sinter_queue_wait_all(queue)); }

  // Device memory for commands of this queue, which use it one after another. The first 64 bytes
  // are zero, and a command must leave them zero. A block that is replaced by a larger one is kept
  // until the queue is destroyed: commands may still use it.
  void *scratch(std::size_t bytes) {
    const guard held(*this);
    if (bytes > scratch_size)
      add_scratch(bytes > 2 * scratch_size ? bytes : 2 * scratch_size);
    return scratches->memory;
  }

  // Keeps memory of the program until a command is complete.
  void keep(std::uint64_t ticket, std::shared_ptr<const void> memory) {
    kept_memory *const added = new kept_memory{ticket, static_cast<std::shared_ptr<const void> &&>(memory), nullptr};
    // Deleted without the lock, because their deleters are the program's.
    for (kept_memory *done = add_kept(added); kept_memory *const one = done;) {
      done = one->next;
      delete one;
    }
  }

  // Passes the errors collected so far to the handler.
  void throw_asynchronous() {
    collect(false);
    std::vector<std::exception_ptr> errors = take_errors();
    if (errors.empty())
      return;
    if (!handler)
      std::rethrow_exception(errors.front());
    handler(exception_list(std::move(errors)));
  }

  // Adds an asynchronous error, which the host has found.
  void add_error(std::exception_ptr error) {
    const guard held(*this);
    pending.push_back(std::move(error));
    __atomic_store_n(&failed, true, __ATOMIC_RELEASE);
  }

  const context members;
  const device target;
  const async_handler handler;
  const property_list properties;
  const bool profiled;

private:
  struct guard {
    explicit guard(queue_state &locked_state) noexcept : state(locked_state) { state.lock(); }
    ~guard() { state.unlock(); }
    queue_state &state;
  };

  void check_member() const {
    if (!members.sinter_contains(target))
      raise(errc::invalid, "the device of a queue must belong to its context");
  }

  void enable_profiling() { take(sinter_queue_enable_profiling(queue)); }
  // The destructor does not run for a constructor that throws.
  void take(sinter_status status) {
    if (status == SINTER_SUCCESS)
      return;
    const exception error = failure(status);
    sinter_queue_destroy(queue);
    throw error;
  }

  // The last block is the largest.
  struct scratch_memory {
    void *memory;
    scratch_memory *smaller;
  };

  struct kept_memory {
    std::uint64_t ticket;
    std::shared_ptr<const void> memory;
    kept_memory *next;
  };

  // Returns what complete commands do not need any more.
  kept_memory *add_kept(kept_memory *added) {
    const guard held(*this);
    added->next = kept;
    kept = added;
    kept_memory *done = nullptr;
    for (kept_memory **link = &added->next; kept_memory *const one = *link;)
      if (std::int32_t complete = 0; sinter_queue_query(queue, one->ticket, &complete) == SINTER_SUCCESS && complete) {
        *link = one->next;
        one->next = done;
        done = one;
      } else {
        link = &one->next;
      }
    return done;
  }

  void add_scratch(std::size_t size) {
    scratches = new scratch_memory{nullptr, scratches};
    const unsigned char zero = 0;
    sinter_status status =
        sinter_malloc(target.sinter_number(), SINTER_MEMORY_DEVICE, size, 0, &scratches->memory);
    if (status == SINTER_SUCCESS)
      status = sinter_queue_fill(queue, scratches->memory, &zero, 1, 64, nullptr);
    if (status != SINTER_SUCCESS) {
      const exception error = failure(status);
      drop_scratch();
      throw error;
    }
    scratch_size = size;
  }
  void drop_scratch() noexcept {
    scratch_memory *const dropped = scratches;
    scratches = dropped->smaller;
    sinter_free(dropped->memory);
    delete dropped;
  }

  // Adds the errors that other waiters have left to the queue.
  void collect(bool waits) {
    for (sinter_status status; (status = sinter_queue_take_error(queue, waits)) != SINTER_SUCCESS;)
      add_error(std::make_exception_ptr(failure(status)));
  }

  void settle(sinter_status status) {
    if (__builtin_expect(status != SINTER_SUCCESS, 0)) {
      if (!handler)
        raise(status);
      add_error(std::make_exception_ptr(failure(status)));
    }
    if (__builtin_expect(!handler && __atomic_load_n(&failed, __ATOMIC_ACQUIRE), 0))
      throw_asynchronous();
  }

  std::vector<std::exception_ptr> take_errors() {
    std::vector<std::exception_ptr> errors;
    const guard held(*this);
    errors.swap(pending);
    __atomic_store_n(&failed, false, __ATOMIC_RELAXED);
    return errors;
  }

  // A spinlock, taken on failures, and briefly by reductions.
  void lock() noexcept {
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE)) {
    }
  }
  void unlock() noexcept { __atomic_clear(&locked, __ATOMIC_RELEASE); }

  sinter_queue *queue = nullptr;
  std::vector<std::exception_ptr> pending;
  scratch_memory *scratches = nullptr;
  kept_memory *kept = nullptr;
  std::size_t scratch_size = 0;
  bool locked = false;
  // There are pending errors.
  bool failed = false;
};

} // namespace sycl::detail

#endif
