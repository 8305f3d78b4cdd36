// From a primitive to a launch.
//
// In: a kernel, which is an object with a member function `run`. Out: true once it has run, or
// false if no device can run it. Stage 1 leaves out a kernel that no device can run, and says why.
// A launch returns when the kernel is complete. It never returns false after the kernel has
// started.
#ifndef SINTER_STDPAR_LAUNCH_HPP
#define SINTER_STDPAR_LAUNCH_HPP

#include "../../sinter/sinter.h"
#include "../../sinter/stdpar.h"
#include "../../sycl/detail/builtins.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>

extern "C" void __sinter_bind_optional_kernel(const void *entry, const sinter_kernel **kernel,
                                              const char **reason) noexcept;

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

// True if stage 1 kept all these kernels.
template <class... Kernels> inline bool are_kept() noexcept {
  const auto is_kept = [](const binding &bound) {
    if (bound.kernel == nullptr)
      sinter_stdpar_report(bound.reason);
    return bound.kernel != nullptr;
  };
  return (is_kept(bind<Kernels>()) && ...);
}

// Interprets the result of a launch. A failure of the device ends the program, as an exception of a
// callable does.
inline bool has_run(sinter_status status) {
  if (__builtin_expect(status == SINTER_SUCCESS, 1))
    return true;
  if (status == SINTER_ERROR_OUT_OF_MEMORY)
    throw std::bad_alloc();
  if (status != SINTER_ERROR_TRANSLATION && status != SINTER_ERROR_TRANSLATOR && status != SINTER_ERROR_NO_DEVICE) {
    sinter_stdpar_fail(sinter_last_error());
    std::terminate();
  }
  sinter_stdpar_report(sinter_last_error());
  return false;
}

template <class Kernel> inline bool launch(const Kernel &kernel, std::size_t items, std::uint32_t group_size) {
  const binding bound = bind<Kernel>();
  if (bound.kernel == nullptr)
    return stdpar::are_kept<Kernel>();
  const sinter_launch size = {
      sizeof(sinter_launch), 1, {items, 1, 1}, {group_size, group_size != 0, group_size != 0}, 0, 0, 0, nullptr};
  return has_run(sinter_stdpar_run(bound.kernel, &kernel, sizeof(Kernel), &size));
}

// Runs an object of `run` for each of `items` indices, in groups that the runtime chooses.
template <class Kernel> inline bool launch_items(const Kernel &kernel, std::size_t items) {
  return stdpar::launch(kernel, items, 0);
}

// Runs it for each of `tiles` parts of a range, each one work-item in a group of its own.
template <class Kernel> inline bool launch_tiles(const Kernel &kernel, std::size_t tiles) {
  return stdpar::launch(kernel, tiles, 1);
}

// Index of the work-item or tile that runs.
inline std::size_t item_index() noexcept {
  return sycl::detail::group_id(0) * sycl::detail::local_size(0) + sycl::detail::local_id(0);
}
inline std::size_t tile_index() noexcept { return sycl::detail::group_id(0); }

} // namespace sinter::stdpar

#endif
