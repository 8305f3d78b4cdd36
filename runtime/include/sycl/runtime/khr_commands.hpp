// Free functions that submit commands: sycl_khr_free_function_commands.
//
// `launch` is a kernel over a range, `launch_grouped` one over groups, `launch_task` one work-item.
// Each takes a queue or the handler of a command group.
#ifndef SYCL_KHR_COMMANDS_HPP
#define SYCL_KHR_COMMANDS_HPP

#include "enqueue_functions.hpp"
#include "queue.hpp"

#define SYCL_KHR_FREE_FUNCTION_COMMANDS 1

namespace sycl::khr {

template <class CommandGroup> void submit(const queue &target, CommandGroup &&group) {
  queue(target).submit(static_cast<CommandGroup &&>(group));
}
template <class CommandGroup> event submit_tracked(const queue &target, CommandGroup &&group) {
  return queue(target).submit(static_cast<CommandGroup &&>(group));
}

#define SINTER_KHR(head_type, object)                                                                                \
  template <class Callable> void launch_task(head_type target, const Callable &function) {                           \
    object.single_task(function);                                                                                    \
  }                                                                                                                  \
  template <int Dims, class Callable> void launch(head_type target, range<Dims> size, const Callable &function) {    \
    object.parallel_for(size, function);                                                                             \
  }                                                                                                                  \
  template <int Dims, class Callable, class... Reductions>                                                           \
  void launch_reduce(head_type target, range<Dims> size, const Callable &function, Reductions &&...reductions) {     \
    object.parallel_for(size, static_cast<Reductions &&>(reductions)..., function);                                  \
  }                                                                                                                  \
  template <int Dims, class Callable>                                                                                \
  void launch_grouped(head_type target, range<Dims> size, range<Dims> local, const Callable &function) {             \
    object.parallel_for(nd_range<Dims>(size, local), function);                                                      \
  }                                                                                                                  \
  template <int Dims, class Callable, class... Reductions>                                                           \
  void launch_grouped_reduce(head_type target, range<Dims> size, range<Dims> local, const Callable &function,        \
                             Reductions &&...reductions) {                                                           \
    object.parallel_for(nd_range<Dims>(size, local), static_cast<Reductions &&>(reductions)..., function);           \
  }
SINTER_KHR(const queue &, queue(target))
SINTER_KHR(handler &, target)
#undef SINTER_KHR

using ext::oneapi::experimental::copy;
using ext::oneapi::experimental::fill;
using ext::oneapi::experimental::mem_advise;
using ext::oneapi::experimental::memcpy;
using ext::oneapi::experimental::memset;
using ext::oneapi::experimental::prefetch;

inline void command_barrier(const queue &target) { queue(target).ext_oneapi_submit_barrier(); }
inline void command_barrier(handler &target) { target.ext_oneapi_barrier(); }
inline void event_barrier(const queue &target, const std::vector<event> &events) {
  queue(target).ext_oneapi_submit_barrier(events);
}
inline void event_barrier(handler &target, const std::vector<event> &events) { target.ext_oneapi_barrier(events); }

} // namespace sycl::khr

#endif
