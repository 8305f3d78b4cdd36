// Functions and constants that stage 1 and stage 2 replace; they have no definition.
//
// The names are the device interface of generic containers (docs/abi.md). Axis x is the fastest
// one, the *last* dimension of a SYCL range: `local_id(axis)` and its siblings take 0 for x.
// Functions that depend only on their arguments and the work-item are `const`. The functions are
// declared in declarations.hpp, which is generated from the table of device functions.
#ifndef SYCL_DETAIL_BUILTINS_HPP
#define SYCL_DETAIL_BUILTINS_HPP

#include "config.hpp"

// Address space 3 is local memory. It is used in these headers only: pointers in a program are
// generic. The optimiser must not make a convergent call depend on further conditions.
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
__attribute__((const)) int __acpp_sscp_jit_reflect_compiler_backend() noexcept;

// Local memory whose size is given at the launch.
__attribute__((assume_aligned(64))) SINTER_LOCAL void *__acpp_sscp_get_dynamic_local_memory() noexcept;

// Replaced by the address of the launch's value, or by `id`.
__attribute__((const)) const void *__sinter_specialization_constant(const void *id) noexcept;
// Replaced by an assignment of the variable's name: `*(const char **)slot = "..."`.
void __sinter_bind_symbol(const void *variable, void *slot);
// Replaced by an assignment of the kernel's descriptor:
// `*(const sinter_kernel **)slot = &descriptor`.
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

// Index of the work-item in the whole launch. For common small launches the range assumption lets
// the optimiser use 32-bit arithmetic. On devices the index itself is computed in 32 bits: a GPU
// would otherwise compare all 64 bits, and a driver's vectorising compiler does not see through a
// truncation. The host backend keeps 64 bits, since its loops over work-items vectorise better
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

// The offset of an nd_range: a constant of the launch, and 0 without a value. Index 0 is x.
struct launch_offset_value {
  std::size_t axis[3];
};
inline constexpr launch_offset_value launch_offset = {};

inline std::size_t offset(int axis) noexcept {
  return static_cast<const launch_offset_value *>(__sinter_specialization_constant(&launch_offset))->axis[axis];
}
inline std::size_t offset_global_id(int axis) noexcept { return global_id(axis) + offset(axis); }

inline std::size_t global_size(int axis) noexcept { return num_groups(axis) * local_size(axis); }

} // namespace sycl::detail

#endif
