// Functions on bfloat16, vec and marray of it: the extension
// sycl_ext_oneapi_bfloat16_math_functions.
//
// Each is the function on float, rounded once more. A fused multiplication is rounded once, by the
// device where it has one.
#ifndef SYCL_BFLOAT16_MATH_HPP
#define SYCL_BFLOAT16_MATH_HPP

#include "../types/bfloat16.hpp"
#include "../types/vec.hpp"
#include "math.hpp"

#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1

namespace sycl {

template <class Type, std::size_t Count> class marray;

namespace detail {

// NVIDIA's GPUs have the instruction (older than sm_80: rounded twice).
constexpr int ptx_compiler = 1;

// x * y + z for bfloat16 values in float. A result in the middle of two bfloat16 moves to the side
// of the exact one, so that the second rounding does not take the wrong neighbour. Products are
// exact in float; small ones are scaled, so that none of their digits is lost.
inline float fused(float x, float y, float z) noexcept {
  const float sum = sycl::fma(x, y, z);
  const std::uint32_t bits = bit_cast<std::uint32_t>(sum);
  if ((bits & 0xffffu) != 0x8000u)
    return sum;
  const float scale = sycl::fabs(sum) < 0x1p-60f ? 0x1p80f : 1.0f;
  const bool is_first_smaller = sycl::fabs(x) < sycl::fabs(y);
  const float product = (is_first_smaller ? x * scale : x) * (is_first_smaller ? y : y * scale), rest = z * scale;
  const float total = product + rest, part = total - product;
  const float error = (product - (total - part)) + (rest - part);
  const bool is_away = (error > 0) == (sum > 0);
  return error > 0 || error < 0 ? bit_cast<float>(is_away ? bits + 1 : bits - 1) : sum;
}

} // namespace detail

namespace ext::oneapi::experimental {

#define SINTER_EACH(expression, ...)                                                                                 \
  {                                                                                                                  \
    __VA_ARGS__ result;                                                                                              \
    for (int i = 0; i < static_cast<int>(Length); ++i)                                                               \
      result[i] = expression;                                                                                        \
    return result;                                                                                                   \
  }
#define SINTER_VEC vec<bfloat16, Length>
#define SINTER_MARRAY marray<bfloat16, Length>
#define SINTER_BFLOAT16_1(name)                                                                                      \
  inline bfloat16 name(bfloat16 x) noexcept { return sycl::name(static_cast<float>(x)); }                            \
  template <int Length> SINTER_VEC name(const SINTER_VEC &x) noexcept SINTER_EACH(name(x[i]), SINTER_VEC)            \
  template <std::size_t Length>                                                                                      \
  SINTER_MARRAY name(const SINTER_MARRAY &x) noexcept SINTER_EACH(name(x[i]), SINTER_MARRAY)
#define SINTER_BFLOAT16_VECTORS_2(name)                                                                              \
  template <int Length>                                                                                              \
  SINTER_VEC name(const SINTER_VEC &x, const SINTER_VEC &y) noexcept SINTER_EACH(name(x[i], y[i]), SINTER_VEC)       \
  template <std::size_t Length>                                                                                      \
  SINTER_MARRAY name(const SINTER_MARRAY &x, const SINTER_MARRAY &y) noexcept                                        \
      SINTER_EACH(name(x[i], y[i]), SINTER_MARRAY)
#define SINTER_BFLOAT16_VECTORS_3(name)                                                                              \
  template <int Length>                                                                                              \
  SINTER_VEC name(const SINTER_VEC &x, const SINTER_VEC &y, const SINTER_VEC &z) noexcept                            \
      SINTER_EACH(name(x[i], y[i], z[i]), SINTER_VEC)                                                                \
  template <std::size_t Length>                                                                                      \
  SINTER_MARRAY name(const SINTER_MARRAY &x, const SINTER_MARRAY &y, const SINTER_MARRAY &z) noexcept                \
      SINTER_EACH(name(x[i], y[i], z[i]), SINTER_MARRAY)

SINTER_BFLOAT16_1(fabs)
SINTER_BFLOAT16_1(ceil)
SINTER_BFLOAT16_1(floor)
SINTER_BFLOAT16_1(cos)
SINTER_BFLOAT16_1(sin)
SINTER_BFLOAT16_1(exp)
SINTER_BFLOAT16_1(exp10)
SINTER_BFLOAT16_1(exp2)
SINTER_BFLOAT16_1(log)
SINTER_BFLOAT16_1(log2)
SINTER_BFLOAT16_1(log10)
SINTER_BFLOAT16_1(rint)
SINTER_BFLOAT16_1(sqrt)
SINTER_BFLOAT16_1(rsqrt)
SINTER_BFLOAT16_1(tanh)
SINTER_BFLOAT16_1(trunc)

inline bfloat16 fmin(bfloat16 x, bfloat16 y) noexcept {
  return sycl::fmin(static_cast<float>(x), static_cast<float>(y));
}
SINTER_BFLOAT16_VECTORS_2(fmin)
inline bfloat16 fmax(bfloat16 x, bfloat16 y) noexcept {
  return sycl::fmax(static_cast<float>(x), static_cast<float>(y));
}
SINTER_BFLOAT16_VECTORS_2(fmax)
inline bfloat16 fma(bfloat16 x, bfloat16 y, bfloat16 z) noexcept {
#if defined(__clang__)
  if (!__acpp_sscp_is_host && __acpp_sscp_jit_reflect_compiler_backend() == sycl::detail::ptx_compiler) {
    using bf16 = sycl::detail::bf16;
    return bit_cast<bfloat16>(__builtin_elementwise_fma(bit_cast<bf16>(x), bit_cast<bf16>(y), bit_cast<bf16>(z)));
  }
#endif
  return sycl::detail::fused(x, y, z);
}
SINTER_BFLOAT16_VECTORS_3(fma)

inline bool isnan(bfloat16 x) noexcept { return sycl::isnan(static_cast<float>(x)); }
template <int Length>
vec<std::int16_t, Length> isnan(const SINTER_VEC &x) noexcept
    SINTER_EACH(static_cast<std::int16_t>(isnan(x[i]) ? -1 : 0), vec<std::int16_t, Length>)
template <std::size_t Length>
marray<bool, Length> isnan(const SINTER_MARRAY &x) noexcept
    SINTER_EACH(isnan(x[i]), marray<bool, Length>)

#undef SINTER_BFLOAT16_VECTORS_3
#undef SINTER_BFLOAT16_VECTORS_2
#undef SINTER_BFLOAT16_1
#undef SINTER_MARRAY
#undef SINTER_VEC
#undef SINTER_EACH

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
