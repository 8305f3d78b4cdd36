// Floating-point numbers rounded in a mode.
//
// In: an integer or a floating-point number. Out: a floating-point number, also one of 16 bits that
// is a class. *Invariant:* the result is exact for every pair of types and every mode. HIP's
// headers use this too, without those of SYCL.
#ifndef SYCL_DETAIL_ROUNDING_HPP
#define SYCL_DETAIL_ROUNDING_HPP

#include <cstdint>
#include <type_traits>

// Programs in HIP and CUDA may be in C++11.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc++14-extensions"
#pragma clang diagnostic ignored "-Wc++17-extensions"
#endif

namespace sycl {

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

namespace detail {

template <class Real>
using number_bits =
    typename std::conditional<sizeof(Real) == 2, std::int16_t,
                              typename std::conditional<sizeof(Real) == 4, std::int32_t, std::int64_t>::type>::type;

template <class Type>
inline constexpr bool is_fraction = !std::is_integral<Type>::value && !std::is_enum<Type>::value;
template <class Type> inline constexpr bool is_short_fraction = is_fraction<Type> && sizeof(Type) == 2;

// The neighbour of a number; that of an infinity is the largest finite number.
template <class Real> constexpr Real neighbour(Real x, bool upwards) noexcept {
  using bits = number_bits<Real>;
  if (x == Real(0))
    return __builtin_bit_cast(Real,
                              static_cast<bits>(upwards ? 1 : (std::uint64_t(1) << (8 * sizeof(Real) - 1)) + 1));
  const bits old = __builtin_bit_cast(bits, x);
  return __builtin_bit_cast(Real, static_cast<bits>((x > Real(0)) == upwards ? old + 1 : old - 1));
}

// The sign of the error of a rounded number; 0 for NaN.
template <class Rounded, class Exact> constexpr int error_sign(Rounded rounded, Exact exact) noexcept {
  if constexpr (std::is_integral<Exact>::value) {
    // Twice the greatest power of two, which an unsigned number may be rounded to.
    constexpr int width = static_cast<int>(8 * sizeof(Exact)) - std::is_signed<Exact>::value;
    constexpr double limit = 2.0 * static_cast<double>(std::uint64_t(1) << (width - 1));
    const double wide = static_cast<double>(rounded);
    if (!(wide < limit))
      return 1;
    if (wide < -limit)
      return -1;
    const Exact back = static_cast<Exact>(wide);
    return (back > exact) - (back < exact);
  } else {
    const Exact back = static_cast<Exact>(rounded);
    return (back > exact) - (back < exact);
  }
}

// To nearest, ties to even. A number of 16 bits is rounded from a float whose last bit says that
// it is not exact.
template <class To, class From> constexpr To round_nearest(From x) noexcept {
  if constexpr (is_short_fraction<To> && !std::is_same<From, float>::value) {
    float middle = static_cast<float>(x);
    const int sign = error_sign(middle, x);
    if (sign != 0 && (__builtin_bit_cast(std::int32_t, middle) & 1) == 0)
      middle = neighbour(middle, sign < 0);
    return static_cast<To>(middle);
  } else {
    return static_cast<To>(x);
  }
}

template <class To, rounding_mode Mode, class From> constexpr To round_fraction(From x) noexcept {
  const To rounded = round_nearest<To>(x);
  if constexpr (Mode == rounding_mode::automatic || Mode == rounding_mode::rte) {
    return rounded;
  } else {
    const int sign = error_sign(rounded, x);
    const bool downwards = Mode == rounding_mode::rtn || (Mode == rounding_mode::rtz && x > From(0));
    return sign == 0 || (sign > 0) != downwards ? rounded : neighbour(rounded, !downwards);
  }
}

} // namespace detail
} // namespace sycl

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

#endif
