// From a primitive to a launch.
//
// In: a kernel, which is an object with a member function `run`. Out: true once it has run, or
// false if no device can run it. Stage 1 leaves out a kernel that no device can run, and says why.
// A kernel that has run is complete; one that was started is complete when a later one of the
// thread has run. A launch never returns false after the kernel has started.
//
// Stage 1 knows the functions of the namespace `quiet` by their names: none is a template. They may
// run while kernels do, since they leave the memory of the program alone, or wait first; after an
// exception all kernels are complete. A call of `settle` is left to what comes next, so that the
// launches of several algorithms follow each other (tools/stage1/src/waits).
//
// An algorithm shapes its launches for the thread's device: the groups of a GPU share a part of a
// range, on a CPU a work-item has one alone. `shaped` begins it again where the CPU has to run the
// first of them instead.
#ifndef SINTER_STDPAR_LAUNCH_HPP
#define SINTER_STDPAR_LAUNCH_HPP

#include "../../sinter/sinter.h"
#include "../../sinter/stdpar.h"
#include "../../sycl/detail/builtins.hpp"
#include "algorithm_call.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>

extern "C" void __sinter_bind_optional_kernel(const void *entry, const sinter_kernel **kernel,
                                              const char **reason) noexcept;

// Host code that does not depend on types: no copies of it in the code of each algorithm.
#define SINTER_STDPAR_ONCE [[gnu::noinline]] inline

namespace sinter::stdpar {

template <class Kernel>
[[clang::annotate("sinter_kernel")]] [[clang::annotate("sinter_optional")]] void entry(const Kernel &block) {
  [[clang::annotate("sinter_closure")]] Kernel closure = block;
  closure.run();
}

// The descriptor of a kernel, or the reason why there is none.
struct binding {
  const sinter_kernel *kernel = nullptr;
  const char *reason = nullptr;
};

// Stage 1 turns the call into assignments.
template <class Kernel> inline binding bind() noexcept {
  binding bound;
  __sinter_bind_optional_kernel(reinterpret_cast<const void *>(&entry<Kernel>), &bound.kernel, &bound.reason);
  return bound;
}

namespace quiet {

// Waits for the kernels that were started. A failure of the device ends the program.
SINTER_STDPAR_ONCE void settle() noexcept {
  if (sinter_stdpar_settle() == SINTER_SUCCESS)
    return;
  sinter_stdpar_fail(sinter_last_error());
  std::terminate();
}

} // namespace quiet

// Gives up an algorithm that has no memory. Any other failure of the device ends the program, as an
// exception of a callable does.
[[noreturn]] SINTER_STDPAR_ONCE void give_up(sinter_status status) {
  if (status != SINTER_ERROR_OUT_OF_MEMORY) {
    sinter_stdpar_fail(sinter_last_error());
    std::terminate();
  }
  quiet::settle();
  throw std::bad_alloc();
}

// Interprets the result of a launch.
inline bool has_run(sinter_status status) {
  if (__builtin_expect(status == SINTER_SUCCESS, 1))
    return true;
  if (status != SINTER_ERROR_TRANSLATION && status != SINTER_ERROR_TRANSLATOR && status != SINTER_ERROR_NO_DEVICE)
    stdpar::give_up(status);
  sinter_stdpar_report(sinter_last_error());
  return false;
}

// Work-items of a launch. A group size of 0 is the runtime's choice.
struct shape {
  std::size_t items;
  std::uint32_t group_size;
  // Bytes of memory that the work-items of a group share.
  std::size_t group_bytes;
  // True if the CPU must not run it instead: its work-items would do something else there.
  bool is_for_gpu = false;
};

// True for a kernel that prepares scratch memory and calls nothing of the program, so that an
// algorithm may begin again behind it.
template <class Kernel> inline constexpr bool is_preparation_v = false;

// A kernel without its type: what prepares and launches it is compiled once for all kernels.
struct bound_kernel {
  binding bound;
  const void *block;
  std::size_t size;
  bool is_preparation;
};
template <class Kernel> inline bound_kernel bound_to(const Kernel &kernel) noexcept {
  return {stdpar::bind<Kernel>(), &kernel, sizeof(Kernel), is_preparation_v<Kernel>};
}

// True if stage 1 kept the kernel.
SINTER_STDPAR_ONCE bool is_kept(const bound_kernel &kernel) noexcept {
  if (kernel.bound.kernel == nullptr)
    sinter_stdpar_report(kernel.bound.reason);
  return kernel.bound.kernel != nullptr;
}

// `settled`: the algorithm's end calls quiet::settle.
enum class until { started, settled, complete };

SINTER_STDPAR_ONCE bool launch(const bound_kernel &kernel, const shape &shape, until end) {
  if (!stdpar::is_kept(kernel))
    return false;
  const std::uint32_t size = shape.group_size, other = size != 0;
  const sinter_launch launch = {sizeof(sinter_launch), 1, {shape.items, 1, 1}, {size, other, other},
                                static_cast<std::uint32_t>(shape.group_bytes), 0, 0, nullptr};
  const std::uint32_t wait = end == until::complete  ? SINTER_STDPAR_WAIT
                             : end == until::settled ? SINTER_STDPAR_SETTLED
                                                     : 0;
  const std::uint32_t needs = algorithm_call::needs(shape.is_for_gpu) | wait;
  std::int32_t has_started = 1;
  if (!has_run(sinter_stdpar_launch(kernel.bound.kernel, kernel.block, kernel.size, &launch, needs, &has_started)))
    return false;
  return algorithm_call::note_launch(has_started != 0, kernel.is_preparation);
}
inline bool run(const bound_kernel &kernel, const shape &shape) {
  return stdpar::launch(kernel, shape, until::complete);
}
inline bool start(const bound_kernel &kernel, const shape &shape) {
  return stdpar::launch(kernel, shape, until::started);
}

// Calls an algorithm that shapes its launches for the thread's device. If that cannot run the first
// one, the algorithm begins again, shaped for the CPU of the host, and the call stays there.
// Algorithms whose code does not depend on types come here: it is there twice.
template <class Algorithm> inline bool shaped(const Algorithm &algorithm) {
  return algorithm() || (algorithm_call::turn_to_cpu() && algorithm());
}

// Each of `items` indices, in groups that the runtime chooses.
inline shape each_of(std::size_t items) { return {items, 0, 0}; }
// Groups of work-items that go through a part of a range together, with `bytes` bytes of memory for
// each of them.
inline shape groups_of(std::size_t groups, std::uint32_t size, std::size_t bytes) {
  return {groups * size, size, size * bytes};
}
// Parts of a range, each for one work-item, which knows that it is alone in its group.
inline shape parts_of(std::size_t parts) { return {parts, 1, 0}; }

// Index of the work-item that runs.
inline std::size_t item_index() noexcept { return sycl::detail::global_id(0); }

} // namespace sinter::stdpar

#endif
