// Conversion of a number to another type with a rounding mode, as `vec::convert` does it.
//
// In: an integer or a floating-point number, also one of 16 bits that is a class. Out: the number
// rounded once. *Invariant:* the result is exact for every pair of types and every mode; a real
// number beyond the range of an integer type is undefined, as in C++.
#ifndef SYCL_DETAIL_CONVERT_HPP
#define SYCL_DETAIL_CONVERT_HPP

#include "../math/math.hpp"
#include "swizzled.hpp"

namespace sycl::detail {

template <class Type> inline constexpr bool is_fraction = !std::is_integral_v<Type> && !std::is_enum_v<Type>;
template <class Type> inline constexpr bool is_short_fraction = is_fraction<Type> && sizeof(Type) == 2;

// The neighbour of a number; that of an infinity is the largest finite number.
template <class Real> constexpr Real neighbour(Real x, bool upwards) noexcept {
  using bits = typename mask<sizeof(Real)>::type;
  if (x == Real(0))
    return bit_cast<Real>(static_cast<bits>(upwards ? 1 : (std::uint64_t(1) << (8 * sizeof(Real) - 1)) + 1));
  const bits old = bit_cast<bits>(x);
  return bit_cast<Real>(static_cast<bits>((x > Real(0)) == upwards ? old + 1 : old - 1));
}

// The sign of the error of a rounded number; 0 for NaN.
template <class Rounded, class Exact> constexpr int error_sign(Rounded rounded, Exact exact) noexcept {
  if constexpr (std::is_integral_v<Exact>) {
    // Twice the greatest power of two, which an unsigned number may be rounded to.
    constexpr int width = static_cast<int>(8 * sizeof(Exact)) - std::is_signed_v<Exact>;
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
  if constexpr (is_short_fraction<To> && !std::is_same_v<From, float>) {
    float middle = static_cast<float>(x);
    const int sign = error_sign(middle, x);
    if (sign != 0 && (bit_cast<std::int32_t>(middle) & 1) == 0)
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

// The mode `automatic` is that of the source's type: to nearest, not that of a cast in C++.
template <class To, rounding_mode Mode, class From> constexpr To round_integer(From x) noexcept {
  if constexpr (Mode == rounding_mode::rte || Mode == rounding_mode::automatic)
    return static_cast<To>(rint(x));
  else if constexpr (Mode == rounding_mode::rtp)
    return static_cast<To>(ceil(x));
  else if constexpr (Mode == rounding_mode::rtn)
    return static_cast<To>(floor(x));
  else
    return static_cast<To>(x);
}

template <class To, rounding_mode Mode, class From> constexpr To convert(From x) noexcept {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (is_short_fraction<From>)
    return convert<To, Mode>(static_cast<float>(x));
  else if constexpr (is_fraction<To> && std::is_enum_v<From>)
    return static_cast<To>(static_cast<unsigned char>(x));
  else if constexpr (is_fraction<To> && !std::is_same_v<From, bool>)
    return round_fraction<To, Mode>(x);
  else if constexpr (is_fraction<From> && !std::is_same_v<To, bool> && !std::is_enum_v<To>)
    return round_integer<To, Mode>(x);
  else
    return static_cast<To>(x);
}

} // namespace sycl::detail

#endif
