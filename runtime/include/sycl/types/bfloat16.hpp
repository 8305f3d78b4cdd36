// bfloat16: the upper half of a float, of the extension sycl_ext_oneapi_bfloat16.
//
// Every operation is computed in float and rounded to nearest, ties to even. Together with any type
// that converts to float the result is a bfloat16.
#ifndef SYCL_BFLOAT16_HPP
#define SYCL_BFLOAT16_HPP

#include "half.hpp"

#define SYCL_EXT_ONEAPI_BFLOAT16 1

namespace sycl {
namespace ext::oneapi {
class bfloat16;
} // namespace ext::oneapi

namespace detail {

template <> inline constexpr bool is_short_float<ext::oneapi::bfloat16> = true;
template <class Type>
inline constexpr bool joins_bfloat16 =
    std::is_convertible_v<const Type &, float> && !std::is_same_v<Type, ext::oneapi::bfloat16>;

} // namespace detail

namespace ext::oneapi {

class bfloat16 {
public:
  bfloat16() = default;
  template <class Number, sycl::detail::enable_if<std::is_arithmetic_v<Number>> = 0>
  constexpr bfloat16(const Number &x) noexcept : value(sycl::detail::to_bf16(x)) {}
  constexpr bfloat16(const half &x) noexcept : bfloat16(static_cast<float>(x)) {}

  constexpr operator float() const noexcept { return sycl::detail::from_bf16(value); }
  constexpr operator half() const noexcept { return static_cast<float>(*this); }
  explicit constexpr operator bool() const noexcept { return static_cast<float>(*this) != 0.0f; }

#define SINTER_NUMBER template <class Number, sycl::detail::enable_if<sycl::detail::joins_bfloat16<Number>> = 0>
#define SINTER_BFLOAT16_OPERATOR(op, result)                                                                         \
  friend constexpr result operator op(const bfloat16 &a, const bfloat16 &b) noexcept {                               \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr result operator op(const bfloat16 &a, const Number &b) noexcept {                   \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_NUMBER friend constexpr result operator op(const Number &a, const bfloat16 &b) noexcept {                   \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }
#define SINTER_BFLOAT16_ARITHMETIC(op)                                                                               \
  SINTER_BFLOAT16_OPERATOR(op, bfloat16)                                                                             \
  friend constexpr bfloat16 &operator op##=(bfloat16 &a, const bfloat16 &b) noexcept { return a = a op b; }          \
  SINTER_NUMBER friend constexpr bfloat16 &operator op##=(bfloat16 &a, const Number &b) noexcept {                   \
    return a = a op b;                                                                                               \
  }
  SINTER_BFLOAT16_ARITHMETIC(+)
  SINTER_BFLOAT16_ARITHMETIC(-)
  SINTER_BFLOAT16_ARITHMETIC(*)
  SINTER_BFLOAT16_ARITHMETIC(/)
  SINTER_BFLOAT16_OPERATOR(==, bool)
  SINTER_BFLOAT16_OPERATOR(!=, bool)
  SINTER_BFLOAT16_OPERATOR(<, bool)
  SINTER_BFLOAT16_OPERATOR(>, bool)
  SINTER_BFLOAT16_OPERATOR(<=, bool)
  SINTER_BFLOAT16_OPERATOR(>=, bool)
#undef SINTER_BFLOAT16_ARITHMETIC
#undef SINTER_BFLOAT16_OPERATOR
#undef SINTER_NUMBER

  friend constexpr bfloat16 operator+(const bfloat16 &a) noexcept { return a; }
  friend constexpr bfloat16 operator-(const bfloat16 &a) noexcept {
    return __builtin_bit_cast(bfloat16, sycl::detail::negated(a.value));
  }
  friend constexpr bfloat16 &operator++(bfloat16 &a) noexcept { return a = a + 1.0f; }
  friend constexpr bfloat16 &operator--(bfloat16 &a) noexcept { return a = a - 1.0f; }
  friend constexpr bfloat16 operator++(bfloat16 &a, int) noexcept {
    const bfloat16 before = a;
    ++a;
    return before;
  }
  friend constexpr bfloat16 operator--(bfloat16 &a, int) noexcept {
    const bfloat16 before = a;
    --a;
    return before;
  }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, const bfloat16 &x) {
    return out << static_cast<float>(x);
  }
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits> &operator>>(std::basic_istream<Char, Traits> &in, bfloat16 &x) {
    float read = 0;
    in >> read;
    x = read;
    return in;
  }

private:
  std::uint16_t value;
};

} // namespace ext::oneapi
} // namespace sycl

template <> class std::numeric_limits<sycl::ext::oneapi::bfloat16> : public std::numeric_limits<float> {
  using bfloat16 = sycl::ext::oneapi::bfloat16;

public:
  static constexpr int digits = 8, digits10 = 2, max_digits10 = 4;
  static constexpr bfloat16 min() noexcept { return 0x1p-126f; }
  static constexpr bfloat16 max() noexcept { return 0x1.fep127f; }
  static constexpr bfloat16 lowest() noexcept { return -0x1.fep127f; }
  static constexpr bfloat16 epsilon() noexcept { return 0x1p-7f; }
  static constexpr bfloat16 round_error() noexcept { return 0.5f; }
  static constexpr bfloat16 infinity() noexcept { return __builtin_inff(); }
  static constexpr bfloat16 quiet_NaN() noexcept { return __builtin_nanf(""); }
  static constexpr bfloat16 signaling_NaN() noexcept { return __builtin_bit_cast(bfloat16, std::uint16_t(0x7fa0)); }
  static constexpr bfloat16 denorm_min() noexcept { return 0x1p-133f; }
};

template <> struct std::hash<sycl::ext::oneapi::bfloat16> {
  std::size_t operator()(const sycl::ext::oneapi::bfloat16 &x) const noexcept { return std::hash<float>()(x); }
};

#endif
