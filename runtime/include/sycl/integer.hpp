// Integer functions, and min, max, clamp and abs, which also take floating-point numbers.
#ifndef SYCL_INTEGER_HPP
#define SYCL_INTEGER_HPP

#include "detail/config.hpp"

namespace sycl {
namespace detail {

template <class T> inline constexpr int bits = static_cast<int>(sizeof(T) * 8);
template <class T> inline constexpr bool is_integer = std::is_integral_v<T> && !std::is_same_v<T, bool>;
template <class T> using unsigned_of = std::make_unsigned_t<T>;

// High half of the product of two 64-bit numbers. Code generators lower it to one multiplication
// where the target has one.
inline std::uint64_t high_product(std::uint64_t x, std::uint64_t y) noexcept {
  __extension__ typedef unsigned __int128 wide;
  return static_cast<std::uint64_t>(static_cast<wide>(x) * y >> 64);
}

} // namespace detail

#define SINTER_NUMBER template <class T, detail::enable_if<std::is_arithmetic_v<T>> = 0> constexpr
#define SINTER_INTEGER template <class T, detail::enable_if<detail::is_integer<T>> = 0> constexpr

SINTER_NUMBER T min(T x, T y) noexcept { return y < x ? y : x; }
SINTER_NUMBER T max(T x, T y) noexcept { return x < y ? y : x; }
SINTER_NUMBER T clamp(T x, T lowest, T highest) noexcept { return min(max(x, lowest), highest); }
SINTER_NUMBER T abs(T x) noexcept {
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(__builtin_fabs(x));
  else if constexpr (std::is_signed_v<T>)
    return x < 0 ? static_cast<T>(-x) : x;
  else
    return x;
}

SINTER_INTEGER T popcount(T x) noexcept {
  return static_cast<T>(__builtin_popcountll(static_cast<detail::unsigned_of<T>>(x)));
}
// The width of T for 0.
SINTER_INTEGER T clz(T x) noexcept {
  if (x == 0)
    return static_cast<T>(detail::bits<T>);
  return static_cast<T>(__builtin_clzll(static_cast<detail::unsigned_of<T>>(x)) - (64 - detail::bits<T>));
}
SINTER_INTEGER T ctz(T x) noexcept {
  if (x == 0)
    return static_cast<T>(detail::bits<T>);
  return static_cast<T>(__builtin_ctzll(static_cast<detail::unsigned_of<T>>(x)));
}

SINTER_INTEGER T rotate(T x, T count) noexcept {
  using U = detail::unsigned_of<T>;
  const unsigned left = static_cast<unsigned>(static_cast<U>(count)) % detail::bits<T>;
  const U value = static_cast<U>(x);
  if (left == 0)
    return x;
  return static_cast<T>(static_cast<U>(value << left) | static_cast<U>(value >> (detail::bits<T> - left)));
}
SINTER_INTEGER T abs_diff(T x, T y) noexcept {
  using U = detail::unsigned_of<T>;
  return static_cast<T>(x > y ? static_cast<U>(x) - static_cast<U>(y) : static_cast<U>(y) - static_cast<U>(x));
}
SINTER_INTEGER T hadd(T x, T y) noexcept { return static_cast<T>((x >> 1) + (y >> 1) + (x & y & 1)); }
SINTER_INTEGER T rhadd(T x, T y) noexcept { return static_cast<T>((x >> 1) + (y >> 1) + ((x | y) & 1)); }

namespace detail {

// The bound on the side of the sign of `direction`.
SINTER_INTEGER T bound(bool negative) noexcept {
  using U = unsigned_of<T>;
  const T lowest = std::is_signed_v<T> ? static_cast<T>(U(1) << (bits<T> - 1)) : T(0);
  return negative ? lowest : static_cast<T>(~static_cast<U>(lowest));
}

} // namespace detail

SINTER_INTEGER T add_sat(T x, T y) noexcept {
  T sum = 0;
  return __builtin_add_overflow(x, y, &sum) ? detail::bound<T>(x < 0) : sum;
}
SINTER_INTEGER T sub_sat(T x, T y) noexcept {
  T difference = 0;
  return __builtin_sub_overflow(x, y, &difference) ? detail::bound<T>(std::is_unsigned_v<T> || x < 0) : difference;
}

SINTER_INTEGER T mul_hi(T x, T y) noexcept {
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    return static_cast<T>((static_cast<Wide>(x) * static_cast<Wide>(y)) >> detail::bits<T>);
  } else {
    const std::uint64_t a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y);
    // A negative factor counts as 2^64 too much.
    return static_cast<T>(detail::high_product(a, b) - (x < 0 ? b : 0) - (y < 0 ? a : 0));
  }
}
SINTER_INTEGER T mad_sat(T a, T b, T c) noexcept {
  using U = detail::unsigned_of<T>;
  if constexpr (sizeof(T) < 8) {
    using Wide = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;
    const Wide whole = static_cast<Wide>(a) * static_cast<Wide>(b) + static_cast<Wide>(c);
    return whole == static_cast<Wide>(static_cast<T>(whole)) ? static_cast<T>(whole) : detail::bound<T>(whole < 0);
  } else {
    // 128 bits in two halves. They are a T if the upper half repeats the sign of the lower one.
    const U product = static_cast<U>(a) * static_cast<U>(b), low = product + static_cast<U>(c);
    const U high = static_cast<U>(mul_hi(a, b)) - (c < 0 ? 1u : 0u) + (low < product ? 1u : 0u);
    const bool fits = high == (static_cast<T>(low) < 0 ? ~U(0) : U(0));
    return fits ? static_cast<T>(low) : detail::bound<T>(static_cast<T>(high) < 0);
  }
}
SINTER_INTEGER T mad_hi(T a, T b, T c) noexcept { return static_cast<T>(mul_hi(a, b) + c); }
// The result is defined only if both factors fit in 24 bits; then it is the product.
SINTER_INTEGER T mul24(T x, T y) noexcept { return x * y; }
SINTER_INTEGER T mad24(T x, T y, T z) noexcept { return x * y + z; }

#undef SINTER_NUMBER
#undef SINTER_INTEGER

namespace detail {

// An integer of twice the size.
template <class T> struct twice;
template <> struct twice<std::int8_t> { using type = std::int16_t; };
template <> struct twice<std::uint8_t> { using type = std::uint16_t; };
template <> struct twice<std::int16_t> { using type = std::int32_t; };
template <> struct twice<std::uint16_t> { using type = std::uint32_t; };
template <> struct twice<std::int32_t> { using type = std::int64_t; };
template <> struct twice<std::uint32_t> { using type = std::uint64_t; };

} // namespace detail

template <class T> constexpr typename detail::twice<T>::type upsample(T high, detail::unsigned_of<T> low) noexcept {
  using U = detail::unsigned_of<typename detail::twice<T>::type>;
  return static_cast<typename detail::twice<T>::type>(static_cast<U>(static_cast<U>(high) << detail::bits<T>) | low);
}

} // namespace sycl

#endif
