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
  using bits = std::uint16_t;
  return bit_cast<bfloat16>(sycl::detail::fused_bf16(bit_cast<bits>(x), bit_cast<bits>(y), bit_cast<bits>(z)));
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
