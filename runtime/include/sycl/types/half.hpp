// half: the 16-bit floating-point format of IEEE 754 (binary16).
//
// Every operation is computed in float and rounded once, which is what an operation on half gives;
// the translator turns it into the device's half precision instruction. As in C++ a number of type
// float or double makes the other operand one of its type, and an integer becomes a half.
#ifndef SYCL_HALF_HPP
#define SYCL_HALF_HPP

#include "../detail/config.hpp"
#include "../detail/short_floats.hpp"

#include <iosfwd>
#include <limits>
#if __has_include(<bits/functional_hash.h>)
#include <bits/functional_hash.h> // in libstdc++, a tenth of <functional>'s compile time
#else
#include <functional>
#endif

namespace sycl {

class half;
template <class Type, int Count> class vec;

namespace detail {

template <> inline constexpr bool is_short_float<half> = true;
template <class Type>
inline constexpr bool is_half_source = std::is_arithmetic_v<Type> || std::is_same_v<Type, f16>;
template <class Type>
inline constexpr bool converts_to_half =
    std::conjunction_v<std::bool_constant<!is_half_source<Type> && !is_short_float<Type>>,
                       std::is_convertible<const Type &, float>>;
// The types in which a half and a number are added and compared.
template <class Number> using half_result = std::conditional_t<std::is_floating_point_v<Number>, Number, half>;
template <class Number> using half_compared = std::conditional_t<std::is_floating_point_v<Number>, Number, float>;

} // namespace detail

class half {
public:
  half() = default;
  template <class Number, detail::enable_if<detail::is_half_source<Number>> = 0>
  constexpr half(const Number &x) noexcept : value(detail::to_f16(x)) {}
  // Objects that convert to float, such as references to elements, and enumerators.
  template <class Other, detail::enable_if<detail::converts_to_half<Other>> = 0>
  explicit constexpr half(const Other &x) noexcept : half(static_cast<float>(x)) {}

  constexpr operator float() const noexcept { return detail::from_f16(value); }
  explicit constexpr operator detail::f16() const noexcept { return value; }

#define SINTER_NUMBER template <class Number, detail::enable_if<std::is_arithmetic_v<Number>> = 0>
#define SINTER_HALF_ARITHMETIC(op)                                                                                   \
  friend constexpr half operator op(half a, half b) noexcept {                                                       \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr detail::half_result<Number> operator op(half a, Number b) noexcept {                \
    return static_cast<detail::half_result<Number>>(a) op static_cast<detail::half_result<Number>>(b);               \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr detail::half_result<Number> operator op(Number a, half b) noexcept {                \
    return static_cast<detail::half_result<Number>>(a) op static_cast<detail::half_result<Number>>(b);               \
  }                                                                                                                  \
  friend constexpr half &operator op##=(half &a, half b) noexcept { return a = a op b; }                             \
  SINTER_NUMBER friend constexpr half &operator op##=(half &a, Number b) noexcept { return a = a op b; }
  SINTER_HALF_ARITHMETIC(+)
  SINTER_HALF_ARITHMETIC(-)
  SINTER_HALF_ARITHMETIC(*)
  SINTER_HALF_ARITHMETIC(/)
#undef SINTER_HALF_ARITHMETIC

#define SINTER_HALF_COMPARISON(op)                                                                                   \
  friend constexpr bool operator op(half a, half b) noexcept {                                                       \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr bool operator op(half a, Number b) noexcept {                                       \
    return static_cast<detail::half_compared<Number>>(a) op static_cast<detail::half_compared<Number>>(b);           \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr bool operator op(Number a, half b) noexcept {                                       \
    return static_cast<detail::half_compared<Number>>(a) op static_cast<detail::half_compared<Number>>(b);           \
  }
  SINTER_HALF_COMPARISON(==)
  SINTER_HALF_COMPARISON(!=)
  SINTER_HALF_COMPARISON(<)
  SINTER_HALF_COMPARISON(>)
  SINTER_HALF_COMPARISON(<=)
  SINTER_HALF_COMPARISON(>=)
#undef SINTER_HALF_COMPARISON
#undef SINTER_NUMBER

  friend constexpr half operator+(half a) noexcept { return a; }
  friend constexpr half operator-(half a) noexcept {
    return __builtin_bit_cast(half, detail::negated(__builtin_bit_cast(std::uint16_t, a)));
  }
  friend constexpr half &operator++(half &a) noexcept { return a = a + 1.0f; }
  friend constexpr half &operator--(half &a) noexcept { return a = a - 1.0f; }
  friend constexpr half operator++(half &a, int) noexcept {
    const half before = a;
    ++a;
    return before;
  }
  friend constexpr half operator--(half &a, int) noexcept {
    const half before = a;
    --a;
    return before;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, half x) {
    return out << static_cast<float>(x);
  }
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits> &operator>>(std::basic_istream<Char, Traits> &in, half &x) {
    float read = 0;
    in >> read;
    x = read;
    return in;
  }

private:
  detail::f16 value;
};

using half2 = vec<half, 2>;
using half3 = vec<half, 3>;
using half4 = vec<half, 4>;
using half8 = vec<half, 8>;
using half16 = vec<half, 16>;

namespace opencl {
using cl_half = half;
} // namespace opencl
using opencl::cl_half;

} // namespace sycl

template <> class std::numeric_limits<sycl::half> : public std::numeric_limits<float> {
  using half = sycl::half;

public:
  static constexpr int digits = 11, digits10 = 3, max_digits10 = 5;
  static constexpr int min_exponent = -13, min_exponent10 = -4, max_exponent = 16, max_exponent10 = 4;
  static constexpr half min() noexcept { return 0x1p-14f; }
  static constexpr half max() noexcept { return 65504.0f; }
  static constexpr half lowest() noexcept { return -65504.0f; }
  static constexpr half epsilon() noexcept { return 0x1p-10f; }
  static constexpr half round_error() noexcept { return 0.5f; }
  static constexpr half infinity() noexcept { return __builtin_inff(); }
  static constexpr half quiet_NaN() noexcept { return __builtin_nanf(""); }
  static constexpr half signaling_NaN() noexcept { return __builtin_bit_cast(half, std::uint16_t(0x7d00)); }
  static constexpr half denorm_min() noexcept { return 0x1p-24f; }
};

template <> struct std::hash<sycl::half> {
  std::size_t operator()(sycl::half x) const noexcept { return std::hash<float>()(x); }
};

#endif
