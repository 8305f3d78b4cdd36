// Conversions of the 16-bit floating-point formats, rounded once, to nearest, ties to even.
//
// Device code and constant expressions use the compiler's types: stage 2 lowers them to the
// target's instructions, or to arithmetic on float where it has none. Host code computes on the
// bits unless the CPU that it is compiled for converts half: the compiler would call functions that
// older runtime libraries lack. *Invariant:* host code, device code and constant expressions give
// the same bits, but for the payload of a NaN. HIP's headers use this too, without those of SYCL.
#ifndef SYCL_DETAIL_SHORT_FLOATS_HPP
#define SYCL_DETAIL_SHORT_FLOATS_HPP

#include <cstdint>
#include <type_traits>

// Programs in HIP and CUDA may be in C++11.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++14-extensions"
#pragma clang diagnostic ignored "-Wc++17-extensions"
#endif

extern "C" {
extern const int __acpp_sscp_is_host;
__attribute__((const)) int __acpp_sscp_jit_reflect_compiler_backend() noexcept;
}

namespace sycl {
namespace detail {

#if defined(__clang__)
using f16 = _Float16;
using bf16 = __bf16;
#else
using f16 = short;
using bf16 = short;
#endif

// Leaves a function in host code. Nested, so that stage 1 removes what follows without optimising.
#define SINTER_ON_HOST(result)                                                                                       \
  if (!__builtin_is_constant_evaluated())                                                                            \
    if (__acpp_sscp_is_host)                                                                                         \
      return result;

// Rounds to odd: of the two neighbours of an inexact value the one whose last bit is set. Rounding
// that again to 16 bits gives what rounding once gives.
template <class Wide> inline float to_odd(Wide x) noexcept {
  const float near = static_cast<float>(x);
  const Wide back = static_cast<Wide>(near);
  std::uint32_t bits = __builtin_bit_cast(std::uint32_t, near);
  if ((bits & 1) != 0 || !(back < x || back > x))
    return near;
  bits += (back < x) == (near >= 0) ? 1u : ~0u;
  return __builtin_bit_cast(float, bits);
}

// From 2^-14 on the exponent is rebiased and the fraction rounded. Below, adding 1/2 aligns the
// last bit of half with that of float, so that the addition rounds.
inline std::uint16_t half_bits(float x) noexcept {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x), sign = bits >> 16 & 0x8000u;
  const std::uint32_t size = bits & 0x7fffffffu;
  std::uint32_t result;
  if (size > 0x7f800000u)
    result = 0x7e00u | (size >> 13 & 0x3ffu);
  else if (size >= 0x477ff000u)
    result = 0x7c00u;
  else if (size < 0x38800000u)
    result = __builtin_bit_cast(std::uint32_t, __builtin_bit_cast(float, size) + 0.5f) - 0x3f000000u;
  else
    result = (size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13;
  return static_cast<std::uint16_t>(result | sign);
}
// Subnormal numbers are multiples of 2^-24.
inline float half_value(std::uint16_t bits) noexcept {
  const std::uint32_t sign = (bits & 0x8000u) << 16, size = bits & 0x7fffu;
  std::uint32_t result;
  if (size < 0x400u)
    result = __builtin_bit_cast(std::uint32_t, static_cast<float>(size) * 0x1p-24f);
  else if (size < 0x7c00u)
    result = (size << 13) + 0x38000000u;
  else
    result = size << 13 | 0x7f800000u | (size > 0x7c00u ? 0x400000u : 0u);
  return __builtin_bit_cast(float, result | sign);
}
inline std::uint16_t bfloat16_bits(float x) noexcept {
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, x), high = bits >> 16;
  if ((bits & 0x7fffffffu) > 0x7f800000u)
    return static_cast<std::uint16_t>(high | 0x40u);
  return static_cast<std::uint16_t>((bits + 0x7fffu + (high & 1u)) >> 16);
}
inline float bfloat16_value(std::uint16_t bits) noexcept {
  return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
}

constexpr f16 to_f16(float x) noexcept {
#ifndef __F16C__
  SINTER_ON_HOST(__builtin_bit_cast(f16, half_bits(x)))
#endif
  return static_cast<f16>(x);
}
template <class Wide> constexpr f16 wide_to_f16(Wide x) noexcept {
  SINTER_ON_HOST(to_f16(to_odd(x)))
  return static_cast<f16>(x);
}
constexpr f16 to_f16(double x) noexcept { return wide_to_f16(x); }
constexpr f16 to_f16(long double x) noexcept { return wide_to_f16(x); }
constexpr f16 to_f16(f16 x) noexcept { return x; }
// An integer that float rounds is infinite in half.
template <class Integer, typename std::enable_if<std::is_integral<Integer>::value, int>::type = 0>
constexpr f16 to_f16(Integer x) noexcept {
  return to_f16(static_cast<float>(x));
}
constexpr float from_f16(f16 x) noexcept {
#ifndef __F16C__
  SINTER_ON_HOST(half_value(__builtin_bit_cast(std::uint16_t, x)))
#endif
  return static_cast<float>(x);
}

// x * y + z, rounded once. On the host the product is exact in double, and so is the sum where it
// is close to the middle of two numbers of 16 bits.
inline f16 fused_f16(f16 x, f16 y, f16 z) noexcept {
  SINTER_ON_HOST(
      to_f16(static_cast<double>(from_f16(x)) * static_cast<double>(from_f16(y)) + static_cast<double>(from_f16(z))))
#if defined(__clang__)
  return __builtin_elementwise_fma(x, y, z);
#else
  return x;
#endif
}

// The bits of a bfloat16: host code must not pass the compiler's type, which it converts then.
constexpr std::uint16_t to_bf16(float x) noexcept {
  SINTER_ON_HOST(bfloat16_bits(x))
  return __builtin_bit_cast(std::uint16_t, static_cast<bf16>(x));
}
template <class Wide> constexpr std::uint16_t wide_to_bf16(Wide x) noexcept {
  SINTER_ON_HOST(bfloat16_bits(to_odd(x)))
  return __builtin_bit_cast(std::uint16_t, static_cast<bf16>(x));
}
constexpr std::uint16_t to_bf16(double x) noexcept { return wide_to_bf16(x); }
constexpr std::uint16_t to_bf16(long double x) noexcept { return wide_to_bf16(x); }
// Of an integer that double rounds 48 bits at least are kept, the last of which is sticky.
template <class Integer,
          typename std::enable_if<std::is_integral<Integer>::value && sizeof(Integer) < 8, int>::type = 0>
constexpr std::uint16_t to_bf16(Integer x) noexcept {
  return to_bf16(static_cast<double>(x));
}
template <class Integer,
          typename std::enable_if<std::is_integral<Integer>::value && sizeof(Integer) == 8, int>::type = 0>
constexpr std::uint16_t to_bf16(Integer x) noexcept {
  const std::uint64_t size = x < 0 ? std::uint64_t(0) - static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
  const double exact = size >> 53 == 0 ? static_cast<double>(size)
                                       : static_cast<double>(size >> 16 | ((size & 0xffffu) != 0)) * 65536.0;
  return to_bf16(x < 0 ? -exact : exact);
}
constexpr float from_bf16(std::uint16_t bits) noexcept {
  SINTER_ON_HOST(bfloat16_value(bits))
  return static_cast<float>(__builtin_bit_cast(bf16, bits));
}

// x * y + z for bfloat16 values in float. A result in the middle of two bfloat16 moves to the side
// of the exact one, so that the second rounding does not take the wrong neighbour. Products are
// exact in float; small ones are scaled, so that none of their digits is lost.
inline float fused_wide(float x, float y, float z) noexcept {
  const float sum = __builtin_fmaf(x, y, z);
  const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, sum);
  if ((bits & 0xffffu) != 0x8000u)
    return sum;
  const float scale = __builtin_fabsf(sum) < 0x1p-60f ? 0x1p80f : 1.0f;
  const bool is_first_smaller = __builtin_fabsf(x) < __builtin_fabsf(y);
  const float product = (is_first_smaller ? x * scale : x) * (is_first_smaller ? y : y * scale), rest = z * scale;
  const float total = product + rest, part = total - product;
  const float error = (product - (total - part)) + (rest - part);
  const bool is_away = (error > 0) == (sum > 0);
  return error > 0 || error < 0 ? __builtin_bit_cast(float, is_away ? bits + 1 : bits - 1) : sum;
}
// The bits of x * y + z. NVIDIA's GPUs have the instruction (older than sm_80: rounded twice).
constexpr int ptx_compiler = 1;
inline std::uint16_t fused_bf16(std::uint16_t x, std::uint16_t y, std::uint16_t z) noexcept {
#if defined(__clang__)
  if (!__acpp_sscp_is_host)
    if (__acpp_sscp_jit_reflect_compiler_backend() == ptx_compiler)
      return __builtin_bit_cast(std::uint16_t,
                                __builtin_elementwise_fma(__builtin_bit_cast(bf16, x), __builtin_bit_cast(bf16, y),
                                                          __builtin_bit_cast(bf16, z)));
#endif
  return to_bf16(fused_wide(from_bf16(x), from_bf16(y), from_bf16(z)));
}

#undef SINTER_ON_HOST

// With the other sign, also of a NaN.
constexpr std::uint16_t negated(std::uint16_t bits) noexcept { return static_cast<std::uint16_t>(bits ^ 0x8000u); }

} // namespace detail
} // namespace sycl

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
