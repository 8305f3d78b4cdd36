// Functions that submit without an event: sycl_ext_oneapi_enqueue_functions.
//
// Events are made anyway here, and cost nothing unless they are kept.
#ifndef SYCL_ENQUEUE_FUNCTIONS_HPP
#define SYCL_ENQUEUE_FUNCTIONS_HPP

#include "queue.hpp"

#define SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS 1

namespace sycl::ext::oneapi::experimental {

// A range with the properties of a launch.
template <class Range, class List = empty_properties_t> class launch_config {
public:
  launch_config(Range size, List = {}) noexcept : launched(size) {}
  Range sinter_range() const noexcept { return launched; }

private:
  Range launched;
};

template <class CommandGroup> void submit(queue target, CommandGroup &&group) {
  target.submit(static_cast<CommandGroup &&>(group));
}
template <class CommandGroup, class List, detail::enable_if<is_property_list_v<List>> = 0>
void submit(queue target, List, CommandGroup &&group) {
  target.submit(static_cast<CommandGroup &&>(group));
}
template <class CommandGroup> event submit_with_event(queue target, CommandGroup &&group) {
  return target.submit(static_cast<CommandGroup &&>(group));
}
template <class CommandGroup, class List, detail::enable_if<is_property_list_v<List>> = 0>
event submit_with_event(queue target, List, CommandGroup &&group) {
  return target.submit(static_cast<CommandGroup &&>(group));
}

// Each function for queues and for handlers. Reductions come after the kernel function.
#define SINTER_ENQUEUE(target_type)                                                                                  \
  template <class Name = detail::unnamed, class Callable>                                                      \
  void single_task(target_type target, const Callable &function) {                                                   \
    target.template single_task<Name>(function);                                                                     \
  }                                                                                                                  \
  template <class Name = detail::unnamed, int Dimensions, class Callable, class... Reductions>                 \
  void parallel_for(target_type target, range<Dimensions> size, const Callable &function,                            \
                    Reductions &&...reductions) {                                                                    \
    target.template parallel_for<Name>(size, static_cast<Reductions &&>(reductions)..., function);                   \
  }                                                                                                                  \
  template <class Name = detail::unnamed, int Dimensions, class List, class Callable>                          \
  void parallel_for(target_type target, launch_config<range<Dimensions>, List> config, const Callable &function) {   \
    target.template parallel_for<Name>(config.sinter_range(), List(), function);                                     \
  }                                                                                                                  \
  template <class Name = detail::unnamed, int Dimensions, class Callable, class... Reductions>                 \
  void nd_launch(target_type target, nd_range<Dimensions> size, const Callable &function,                            \
                 Reductions &&...reductions) {                                                                       \
    target.template parallel_for<Name>(size, static_cast<Reductions &&>(reductions)..., function);                   \
  }                                                                                                                  \
  template <class Name = detail::unnamed, int Dimensions, class List, class Callable>                          \
  void nd_launch(target_type target, launch_config<nd_range<Dimensions>, List> config, const Callable &function) {   \
    target.template parallel_for<Name>(config.sinter_range(), List(), function);                                     \
  }                                                                                                                  \
  inline void memcpy(target_type target, void *destination, const void *source, std::size_t bytes) {                 \
    target.memcpy(destination, source, bytes);                                                                       \
  }                                                                                                                  \
  template <class Type>                                                                                              \
  void copy(target_type target, const Type *source, Type *destination, std::size_t count) {                          \
    target.copy(source, destination, count);                                                                         \
  }                                                                                                                  \
  inline void memset(target_type target, void *destination, int value, std::size_t bytes) {                          \
    target.memset(destination, value, bytes);                                                                        \
  }                                                                                                                  \
  template <class Type> void fill(target_type target, Type *destination, const Type &pattern, std::size_t count) {   \
    target.fill(destination, pattern, count);                                                                        \
  }                                                                                                                  \
  inline void prefetch(target_type target, void *memory, std::size_t bytes) { target.prefetch(memory, bytes); }      \
  inline void mem_advise(target_type target, void *memory, std::size_t bytes, int advice) {                          \
    target.mem_advise(memory, bytes, advice);                                                                        \
  }
SINTER_ENQUEUE(queue)
SINTER_ENQUEUE(handler &)
#undef SINTER_ENQUEUE

inline void barrier(queue target) { target.ext_oneapi_submit_barrier(); }
inline void barrier(handler &target) { target.ext_oneapi_barrier(); }
inline void partial_barrier(queue target, const std::vector<event> &events) {
  target.ext_oneapi_submit_barrier(events);
}
inline void partial_barrier(handler &target, const std::vector<event> &events) { target.ext_oneapi_barrier(events); }

} // namespace sycl::ext::oneapi::experimental

#endif
