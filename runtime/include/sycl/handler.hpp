// handler: the one command of a command group.
//
// The command is kept until the command group function returns, so that depends_on may come after it. A kernel's
// block is copied into the handler itself unless it is unusually large.
#ifndef SYCL_HANDLER_HPP
#define SYCL_HANDLER_HPP

#include "kernel.hpp"

namespace sycl {
namespace detail {

template <class T> std::size_t bytes_of(std::size_t count) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, sizeof(T), &bytes))
    raise(errc::invalid, "the size of " + std::to_string(count) + " elements exceeds the address space");
  return bytes;
}

} // namespace detail

class handler {
public:
  handler(const handler &) = delete;
  handler &operator=(const handler &) = delete;

  void depends_on(const event &dependency) {
    if (!dependency.state || dependency.state == state)
      return; // complete, or ahead in the same queue
    detail::check(sinter_queue_depend(state->get(), dependency.state->get(), dependency.ticket));
  }
  void depends_on(const std::vector<event> &dependencies) {
    for (const event &one : dependencies)
      depends_on(one);
  }

  template <class Name = detail::unnamed, class F> void single_task(const F &function) {
    detail::check_kernel_function<F>();
    keep(detail::single_kernel<Name, F>{function}, detail::launch_of_one());
  }
  template <class Name = detail::unnamed, class F> void parallel_for(range<1> size, const F &function) {
    keep_range<Name>(size, function);
  }
  template <class Name = detail::unnamed, class F> void parallel_for(range<2> size, const F &function) {
    keep_range<Name>(size, function);
  }
  template <class Name = detail::unnamed, class F> void parallel_for(range<3> size, const F &function) {
    keep_range<Name>(size, function);
  }
  template <class Name = detail::unnamed, int Dimensions, class F>
  void parallel_for(nd_range<Dimensions> size, const F &function) {
    detail::check_kernel_function<F>();
    keep(detail::nd_range_kernel<Name, Dimensions, F>{function}, detail::launch_of(size));
  }

  void memcpy(void *destination, const void *source, std::size_t byte_count) {
    begin(command::copy);
    to = destination;
    from = source;
    extent = byte_count;
  }
  template <class T> void copy(const T *source, T *destination, std::size_t count) {
    memcpy(destination, source, detail::bytes_of<T>(count));
  }
  void memset(void *destination, int value, std::size_t byte_count) {
    const unsigned char byte = static_cast<unsigned char>(value);
    keep_fill(destination, &byte, 1, byte_count);
  }
  template <class T> void fill(void *destination, const T &pattern, std::size_t count) {
    static_assert(is_device_copyable_v<T>, "the pattern of fill must be device copyable");
    detail::bytes_of<T>(count);
    if constexpr (sizeof(T) <= pattern_limit)
      keep_fill(destination, &pattern, sizeof(T), count);
    else
      parallel_for(range<1>(count), [=, first = static_cast<T *>(destination)](id<1> i) { first[i] = pattern; });
  }
  // Hints that no driver needs yet.
  void prefetch(const void *, std::size_t) { begin(command::nothing); }
  void mem_advise(const void *, std::size_t, int) { begin(command::nothing); }

private:
  friend class queue;

  // What sinter_queue_fill takes at most.
  static constexpr std::size_t pattern_limit = 128;
  static constexpr std::size_t inline_block = 512;

  enum class command { none, nothing, kernel, copy, fill };

  explicit handler(const detail::shared<detail::queue_state> &queue) noexcept : state(queue) {}
  ~handler() {
    if (bytes != storage)
      ::operator delete(bytes);
  }

  void begin(command next) {
    if (kind != command::none)
      detail::raise(errc::invalid, "a command group function holds one command; submit the second one on its own");
    kind = next;
  }

  template <class Name, int Dimensions, class F> void keep_range(range<Dimensions> range_size, const F &function) {
    detail::check_kernel_function<F>();
    keep(detail::range_kernel<Name, Dimensions, F>{function, range_size}, detail::launch_of(range_size));
  }

  template <class Kernel> void keep(const Kernel &block, const sinter_launch &how) {
    begin(command::kernel);
    kernel = detail::descriptor<Kernel>();
    launch = how;
    store(&block, sizeof(Kernel));
  }

  void keep_fill(void *destination, const void *pattern, std::size_t pattern_size, std::size_t count) {
    begin(command::fill);
    to = destination;
    repeat = count;
    store(pattern, pattern_size);
  }

  void store(const void *object, std::size_t object_size) {
    if (object_size > inline_block)
      bytes = static_cast<unsigned char *>(::operator new(object_size));
    __builtin_memcpy(bytes, object, object_size);
    extent = object_size;
  }

  event submit() {
    std::uint64_t ticket = 0;
    switch (kind) {
    case command::none:
    case command::nothing:
      return submit_nothing();
    case command::kernel:
      detail::check(sinter_queue_launch(state->get(), kernel, bytes, extent, &launch, &ticket));
      break;
    case command::copy:
      detail::check(sinter_queue_memcpy(state->get(), to, from, extent, &ticket));
      break;
    case command::fill:
      detail::check(sinter_queue_fill(state->get(), to, bytes, extent, repeat, &ticket));
      break;
    }
    return event(state, ticket);
  }

  // The event of a group without a command stands for what the group depends on, which has tickets of its own.
  event submit_nothing() {
    std::uint64_t ticket = 0;
    detail::check(sinter_queue_last_ticket(state->get(), &ticket));
    return event(state, ticket);
  }

  detail::shared<detail::queue_state> state;
  command kind = command::none;
  const sinter_kernel *kernel = nullptr;
  sinter_launch launch;
  void *to = nullptr;
  const void *from = nullptr;
  std::size_t extent = 0, repeat = 0;
  unsigned char *bytes = storage;
  alignas(16) unsigned char storage[inline_block];
};

} // namespace sycl

#endif
