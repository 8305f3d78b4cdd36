// Functions and constants that stage 1 and stage 2 give a meaning; nothing defines them.
//
// The names are the device interface of generic containers (docs/abi.md). Axis x is the fastest one, the *last*
// dimension of a SYCL range: `local_id(axis)` and its siblings take 0 for x. The queries have no side effects within
// one work-item, which is what the `const` attribute says; stage 2 resolves them to arguments of the entry point.
#ifndef SYCL_DETAIL_BUILTINS_HPP
#define SYCL_DETAIL_BUILTINS_HPP

#include "config.hpp"

#define SINTER_QUERY __attribute__((const)) __SIZE_TYPE__

// Address space 3 is local memory. It stays in these headers: pointers that a program sees are generic ones. A
// convergent call is one that the optimiser must not make depend on further conditions.
#if defined(__clang__)
#define SINTER_LOCAL __attribute__((address_space(3)))
#define SINTER_CONVERGENT __attribute__((convergent))
#else
#define SINTER_LOCAL
#define SINTER_CONVERGENT
#endif

extern "C" {
extern const int __acpp_sscp_is_host;
extern const int __acpp_sscp_is_device;

__attribute__((const)) bool __sinter_ragged_groups() noexcept;
__attribute__((const)) bool __acpp_sscp_if_global_sizes_fit_in_int() noexcept;
__attribute__((const)) int __acpp_sscp_jit_reflect_target_is_cpu() noexcept;

SINTER_QUERY __acpp_sscp_get_local_id_x() noexcept;
SINTER_QUERY __acpp_sscp_get_local_id_y() noexcept;
SINTER_QUERY __acpp_sscp_get_local_id_z() noexcept;
SINTER_QUERY __acpp_sscp_get_group_id_x() noexcept;
SINTER_QUERY __acpp_sscp_get_group_id_y() noexcept;
SINTER_QUERY __acpp_sscp_get_group_id_z() noexcept;
SINTER_QUERY __acpp_sscp_get_local_size_x() noexcept;
SINTER_QUERY __acpp_sscp_get_local_size_y() noexcept;
SINTER_QUERY __acpp_sscp_get_local_size_z() noexcept;
SINTER_QUERY __acpp_sscp_get_num_groups_x() noexcept;
SINTER_QUERY __acpp_sscp_get_num_groups_y() noexcept;
SINTER_QUERY __acpp_sscp_get_num_groups_z() noexcept;

// Numbers of sycl::memory_scope and sycl::memory_order.
SINTER_CONVERGENT void __acpp_sscp_work_group_barrier(int scope, int order) noexcept;
SINTER_CONVERGENT void __acpp_sscp_sub_group_barrier(int scope, int order) noexcept;
void __acpp_sscp_fence(int order, int scope) noexcept;

// Local memory whose size is known at the launch only, aligned to 64 bytes.
__attribute__((const, assume_aligned(64))) SINTER_LOCAL void *__acpp_sscp_get_dynamic_local_memory() noexcept;
// Local memory of a constant size: each call that is left after inlining is one allocation per work-group. Convergent,
// because a call that the optimiser copies for some of the work-items would be a second allocation.
SINTER_CONVERGENT SINTER_LOCAL void *__sinter_local_memory(__SIZE_TYPE__ size, __SIZE_TYPE__ alignment) noexcept;

// Functions that a GPU has instructions for. `native` ones are as exact as those.
float __acpp_sscp_rsqrt_f32(float x) noexcept;
double __acpp_sscp_rsqrt_f64(double x) noexcept;
#define SINTER_NATIVE(name) float __acpp_sscp_native_##name##_f32(float x) noexcept;
SINTER_NATIVE(cos)
SINTER_NATIVE(sin)
SINTER_NATIVE(tan)
SINTER_NATIVE(exp)
SINTER_NATIVE(exp2)
SINTER_NATIVE(exp10)
SINTER_NATIVE(log)
SINTER_NATIVE(log2)
SINTER_NATIVE(log10)
SINTER_NATIVE(recip)
SINTER_NATIVE(rsqrt)
SINTER_NATIVE(sqrt)
#undef SINTER_NATIVE
float __acpp_sscp_native_divide_f32(float x, float y) noexcept;
float __acpp_sscp_native_powr_f32(float x, float y) noexcept;

// Replaced by an assignment of the kernel's descriptor: `*(const sinter_kernel **)slot = &descriptor`.
void __sinter_bind_kernel(const void *entry, void *slot);
}

#undef SINTER_QUERY

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
