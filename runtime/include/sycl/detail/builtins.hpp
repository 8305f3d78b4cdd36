// Functions and constants that stage 1 and stage 2 give a meaning; nothing defines them.
//
// The names are the device interface of generic containers (docs/abi.md). Axis x is the fastest one, the *last*
// dimension of a SYCL range: `local_id(axis)` and its siblings take 0 for x. What depends on nothing but its arguments and
// the work-item is `const`. The functions are declared in declarations.hpp, which is made of the table of device functions.
#ifndef SYCL_DETAIL_BUILTINS_HPP
#define SYCL_DETAIL_BUILTINS_HPP

#include "config.hpp"

// Address space 3 is local memory. It stays in these headers: pointers that a program sees are generic ones. A
// convergent call is one that the optimiser must not make depend on further conditions.
#if defined(__clang__)
#define SINTER_LOCAL __attribute__((address_space(3)))
#define SINTER_CONVERGENT __attribute__((convergent))
#else
#define SINTER_LOCAL
#define SINTER_CONVERGENT
#endif
#define SINTER_CONST __attribute__((const))

#include "declarations.hpp"

extern "C" {
extern const int __acpp_sscp_is_host;
extern const int __acpp_sscp_is_device;

__attribute__((const)) int __acpp_sscp_jit_reflect_target_is_cpu() noexcept;

// Local memory whose size is known at the launch only.
__attribute__((assume_aligned(64))) SINTER_LOCAL void *__acpp_sscp_get_dynamic_local_memory() noexcept;

// Replaced by an assignment of the kernel's descriptor: `*(const sinter_kernel **)slot = &descriptor`.
void __sinter_bind_kernel(const void *entry, void *slot);
}

namespace sycl::detail {

#define SINTER_AXIS_QUERY(name)                                                                                      \
  inline std::size_t name(int axis) noexcept {                                                                       \
    switch (axis) {                                                                                                  \
    case 0:                                                                                                          \
      return __acpp_sscp_get_##name##_x();                                                                           \
    case 1:                                                                                                          \
      return __acpp_sscp_get_##name##_y();                                                                           \
    default:                                                                                                         \
      return __acpp_sscp_get_##name##_z();                                                                           \
    }                                                                                                                \
  }
SINTER_AXIS_QUERY(local_id)
SINTER_AXIS_QUERY(group_id)
SINTER_AXIS_QUERY(local_size)
SINTER_AXIS_QUERY(num_groups)
#undef SINTER_AXIS_QUERY

// Index of the work-item in the whole launch. On the common small launch the range assumption lets the optimiser use
// 32-bit arithmetic. Devices compute the index itself so: a GPU would compare all 64 bits, and a driver's compiler that vectorises
// does not follow a number that is cut. Our own code for the CPU does not, since its loops over work-items vectorise better
// without conversions.
inline std::size_t global_id(int axis) noexcept {
  const std::size_t group = group_id(axis), size = local_size(axis), local = local_id(axis);
  const bool is_short = __acpp_sscp_if_global_sizes_fit_in_int();
  const std::size_t index = is_short && !__sinter_ragged_groups()
                                ? std::uint32_t(group) * std::uint32_t(size) + std::uint32_t(local)
                                : group * size + local;
  if (is_short)
    SINTER_ASSUME(index <= 0x7fffffffu);
  return index;
}

inline std::size_t global_size(int axis) noexcept { return num_groups(axis) * local_size(axis); }

} // namespace sycl::detail

#endif
