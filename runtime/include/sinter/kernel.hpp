// Kernels for host programs in other languages, such as Rust.
//
// A kernel is a function of one struct, whose members are the arguments of a launch in order. The
// host program finds it by a plain name:
//
//   struct Saxpy { float a; const float *x; float *y; std::size_t n; };
//   SINTER_KERNEL(saxpy, Saxpy, k) {
//     const std::size_t i = sinter::global_id();
//     if (i < k.n)
//       k.y[i] += k.a * k.x[i];
//   }
//
// A launch without a work-group size may be rounded up to full work-groups, so a kernel compares
// its index with the size. Axis 0 is x, the fastest dimension. Compile with sinter-cc.
#ifndef SINTER_KERNEL_HPP
#define SINTER_KERNEL_HPP

#include "../sycl/detail/builtins.hpp"

#include <cstddef>
#include <cstdint>

#define SINTER_KERNEL(name, Arguments, parameter)                                                                    \
  static inline void sinter_body_of_##name(const Arguments &parameter);                                              \
  extern "C" __attribute__((annotate("sinter_kernel"))) void name(const Arguments &block) {                          \
    __attribute__((annotate("sinter_closure"))) Arguments closure = block;                                           \
    sinter_body_of_##name(closure);                                                                                  \
  }                                                                                                                  \
  static inline void sinter_body_of_##name(const Arguments &parameter)

namespace sinter {

inline std::size_t local_id(int axis = 0) noexcept { return sycl::detail::local_id(axis); }
inline std::size_t group_id(int axis = 0) noexcept { return sycl::detail::group_id(axis); }
inline std::size_t local_size(int axis = 0) noexcept { return sycl::detail::local_size(axis); }
inline std::size_t num_groups(int axis = 0) noexcept { return sycl::detail::num_groups(axis); }
inline std::size_t global_id(int axis = 0) noexcept { return group_id(axis) * local_size(axis) + local_id(axis); }

// A work-group barrier; writes before it are visible to the group after it.
inline __attribute__((convergent)) void group_barrier() noexcept {
  __acpp_sscp_work_group_barrier(2 /* work-group */, 3 /* acquire and release */);
}

// The dynamic local memory of the launch, aligned to 64 bytes.
template <class Type> inline Type *local_memory() noexcept {
  return (Type *)static_cast<__attribute__((address_space(3))) Type *>(__acpp_sscp_get_dynamic_local_memory());
}

} // namespace sinter

#endif
