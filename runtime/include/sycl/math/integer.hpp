// Integer functions, and min, max, clamp and abs, which also take floating-point numbers.
#ifndef SYCL_INTEGER_HPP
#define SYCL_INTEGER_HPP

#include "math.hpp"

namespace sycl {
namespace detail {

template <class Type, class... Same>
inline constexpr bool are_other_reals = is_real<Type> && !std::is_arithmetic_v<Type> && are_all<Type, Same...>;
template <class Type> inline constexpr int bits = static_cast<int>(sizeof(Type) * 8);
template <class Type>
using unsigned_of = typename std::enable_if_t<is_integer<Type>, std::make_unsigned<Type>>::type;

// High half of the product of two 64-bit numbers. Code generators lower it to one multiplication
// where the target has one.
inline std::uint64_t high_product(std::uint64_t x, std::uint64_t y) noexcept {
  __extension__ typedef unsigned __int128 wide;
  return static_cast<std::uint64_t>(static_cast<wide>(x) * y >> 64);
}

} // namespace detail

// The type may be named for each argument: `min<int, int>(x, y)`.
#define SINTER_OF(condition)                                                                                         \
  template <class Type, class... Same, detail::enable_if<condition && detail::are_all<Type, Same...>> = 0> constexpr
#define SINTER_NUMBER SINTER_OF(detail::is_scalar_type<Type>)
#define SINTER_INTEGER SINTER_OF(detail::is_integer<Type>)

#define SINTER_ARITHMETIC SINTER_OF(std::is_arithmetic_v<Type>)
SINTER_ARITHMETIC Type min(Type x, Type y) noexcept { return y < x ? y : x; }
SINTER_ARITHMETIC Type max(Type x, Type y) noexcept { return x < y ? y : x; }
// A NaN becomes the lowest number.
SINTER_ARITHMETIC Type clamp(Type x, Type lowest, Type highest) noexcept {
  if constexpr (detail::is_real<Type>)
    return fmin(fmax(x, lowest), highest);
  else
    return min(max(x, lowest), highest);
}
#undef SINTER_ARITHMETIC
// Real numbers that are no types of C++ do not convert: a program may have such functions, too.
template <class Type, class Second, detail::enable_if<detail::are_other_reals<Type, Second>> = 0>
constexpr Type min(Type x, Second y) noexcept {
  return y < x ? y : x;
}
template <class Type, class Second, detail::enable_if<detail::are_other_reals<Type, Second>> = 0>
constexpr Type max(Type x, Second y) noexcept {
  return x < y ? y : x;
}
template <class Type, class Second, class Third, detail::enable_if<detail::are_other_reals<Type, Second, Third>> = 0>
constexpr Type clamp(Type x, Second lowest, Third highest) noexcept {
  return fmin(fmax(x, lowest), highest);
}
// Numbers of different types convert as in C++.
template <int = 0, class First, class Second, class Type = detail::mixed_number<First, Second>>
constexpr Type min(First x, Second y) noexcept {
  return min(static_cast<Type>(x), static_cast<Type>(y));
}
template <int = 0, class First, class Second, class Type = detail::mixed_number<First, Second>>
constexpr Type max(First x, Second y) noexcept {
  return max(static_cast<Type>(x), static_cast<Type>(y));
}
template <int = 0, class First, class Second, class Third, class Type = detail::mixed_number<First, Second, Third>>
constexpr Type clamp(First x, Second lowest, Third highest) noexcept {
  return clamp(static_cast<Type>(x), static_cast<Type>(lowest), static_cast<Type>(highest));
}
SINTER_NUMBER Type abs(Type x) noexcept {
  if constexpr (std::is_floating_point_v<Type>)
    return static_cast<Type>(__builtin_fabs(x));
  else if constexpr (detail::is_real<Type>)
    return fabs(x);
  else if constexpr (std::is_signed_v<Type>)
    return x < 0 ? static_cast<Type>(-x) : x;
  else
    return x;
}

SINTER_INTEGER Type popcount(Type x) noexcept {
  return static_cast<Type>(__builtin_popcountll(static_cast<detail::unsigned_of<Type>>(x)));
}
// For 0 the width of Type.
SINTER_INTEGER Type clz(Type x) noexcept {
  if (x == 0)
    return static_cast<Type>(detail::bits<Type>);
  return static_cast<Type>(__builtin_clzll(static_cast<detail::unsigned_of<Type>>(x)) - (64 - detail::bits<Type>));
}
SINTER_INTEGER Type ctz(Type x) noexcept {
  if (x == 0)
    return static_cast<Type>(detail::bits<Type>);
  return static_cast<Type>(__builtin_ctzll(static_cast<detail::unsigned_of<Type>>(x)));
}

SINTER_INTEGER Type rotate(Type x, Type count) noexcept {
  using Another = detail::unsigned_of<Type>;
  const unsigned left = static_cast<unsigned>(static_cast<Another>(count)) % detail::bits<Type>;
  const Another value = static_cast<Another>(x);
  if (left == 0)
    return x;
  return static_cast<Type>(static_cast<Another>(value << left) |
                           static_cast<Another>(value >> (detail::bits<Type> - left)));
}
SINTER_INTEGER Type abs_diff(Type x, Type y) noexcept {
  using Another = detail::unsigned_of<Type>;
  return static_cast<Type>(x > y ? static_cast<Another>(x) - static_cast<Another>(y)
                                 : static_cast<Another>(y) - static_cast<Another>(x));
}
SINTER_INTEGER Type hadd(Type x, Type y) noexcept { return static_cast<Type>((x >> 1) + (y >> 1) + (x & y & 1)); }
SINTER_INTEGER Type rhadd(Type x, Type y) noexcept { return static_cast<Type>((x >> 1) + (y >> 1) + ((x | y) & 1)); }

namespace detail {

// The limit of Type with this sign.
SINTER_INTEGER Type bound(bool negative) noexcept {
  using Another = unsigned_of<Type>;
  const Type lowest = std::is_signed_v<Type> ? static_cast<Type>(Another(1) << (bits<Type> - 1)) : Type(0);
  return negative ? lowest : static_cast<Type>(~static_cast<Another>(lowest));
}

} // namespace detail

SINTER_INTEGER Type add_sat(Type x, Type y) noexcept {
  Type sum = 0;
  return __builtin_add_overflow(x, y, &sum) ? detail::bound<Type>(x < 0) : sum;
}
SINTER_INTEGER Type sub_sat(Type x, Type y) noexcept {
  Type difference = 0;
  return __builtin_sub_overflow(x, y, &difference) ? detail::bound<Type>(std::is_unsigned_v<Type> || x < 0)
                                                   : difference;
}

SINTER_INTEGER Type mul_hi(Type x, Type y) noexcept {
  if constexpr (sizeof(Type) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<Type>, std::int64_t, std::uint64_t>;
    return static_cast<Type>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> detail::bits<Type>);
  } else {
    const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
    // An unsigned product is too large by 2^64 times the other factor for a negative factor.
    return static_cast<Type>(detail::high_product(a, b) - (x < 0 ? b : 0) - (y < 0 ? a : 0));
  }
}
SINTER_INTEGER Type mad_sat(Type a, Type b, Type c) noexcept {
  using Another = detail::unsigned_of<Type>;
  if constexpr (sizeof(Type) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<Type>, std::int64_t, std::uint64_t>;
    const Wide whole = static_cast<Wide>(a) * static_cast<Wide>(b) + static_cast<Wide>(c);
    return whole == static_cast<Wide>(static_cast<Type>(whole)) ? static_cast<Type>(whole)
                                                                : detail::bound<Type>(whole < 0);
  } else {
    // The 128-bit product in two halves. It fits Type if the upper half is the sign extension of
    // the lower one.
    const Another product = static_cast<Another>(a) * static_cast<Another>(b), low = product + static_cast<Another>(c);
    const Another high = static_cast<Another>(mul_hi(a, b)) - (c < 0 ? 1u : 0u) + (low < product ? 1u : 0u);
    const bool fits = high == (static_cast<Type>(low) < 0 ? ~Another(0) : Another(0));
    return fits ? static_cast<Type>(low) : detail::bound<Type>(static_cast<Type>(high) < 0);
  }
}
SINTER_INTEGER Type mad_hi(Type a, Type b, Type c) noexcept { return static_cast<Type>(mul_hi(a, b) + c); }
// Defined only if both factors fit in 24 bits; then it is the product.
SINTER_INTEGER Type mul24(Type x, Type y) noexcept { return x * y; }
SINTER_INTEGER Type mad24(Type x, Type y, Type z) noexcept { return x * y + z; }

#undef SINTER_OF
#undef SINTER_NUMBER
#undef SINTER_INTEGER

namespace detail {

// The integer type of twice the size.
template <class Type> struct twice;
template <> struct twice<std::int8_t> { using type = std::int16_t; };
template <> struct twice<std::uint8_t> { using type = std::uint16_t; };
template <> struct twice<std::int16_t> { using type = std::int32_t; };
template <> struct twice<std::uint16_t> { using type = std::uint32_t; };
template <> struct twice<std::int32_t> { using type = std::int64_t; };
template <> struct twice<std::uint32_t> { using type = std::uint64_t; };

} // namespace detail

template <class Type, class Low = detail::unsigned_of<Type>, class Result = typename detail::twice<Type>::type,
          detail::enable_if<std::is_same_v<Low, detail::unsigned_of<Type>>> = 0>
constexpr Result upsample(Type high, detail::no_deduction<Low> low) noexcept {
  using Another = detail::unsigned_of<typename detail::twice<Type>::type>;
  return static_cast<typename detail::twice<Type>::type>(
      static_cast<Another>(static_cast<Another>(high) << detail::bits<Type>) | low);
}

} // namespace sycl

#endif
