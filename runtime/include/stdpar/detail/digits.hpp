// Numbers as unsigned ones whose digits sort them.
//
// In: the bits of a number, and ascending or descending order. Out: the digits of bits with that
// order. A negative zero comes before a positive one.
#ifndef SINTER_STDPAR_DIGITS_HPP
#define SINTER_STDPAR_DIGITS_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <type_traits>

namespace sinter::stdpar {

inline constexpr unsigned digit_bits = 8;
inline constexpr std::size_t digit_values = std::size_t(1) << digit_bits;
// A comparison sort is faster below: the digits' places cost as much as these elements.
template <class Bits>
inline constexpr std::size_t smallest_radix_sort = sizeof(Bits) < 4 ? 64 : 16 * sizeof(Bits) * sizeof(Bits);
inline constexpr std::size_t smallest_radix_sort_in_groups = 2048;

// Unsigned numbers that lie in the memory of other ones.
template <class Type> using aliased [[gnu::may_alias]] = Type;

template <class Type>
inline constexpr bool has_digits_v = std::is_arithmetic_v<Type> && sizeof(Type) <= 8 && !std::is_same_v<Type, bool>;

enum class order { none, ascending, descending };
template <class Compare, class Type> inline constexpr order order_of = order::none;
template <class Type> inline constexpr order order_of<std::less<Type>, Type> = order::ascending;
template <class Type> inline constexpr order order_of<std::less<>, Type> = order::ascending;
template <class Type> inline constexpr order order_of<std::greater<Type>, Type> = order::descending;
template <class Type> inline constexpr order order_of<std::greater<>, Type> = order::descending;

// The order of numbers, so that all of one size share kernels.
template <class Bits> struct digit_order {
  // The bits that differ from those of the number by which it is sorted.
  Bits flipped;
  // Those that differ in addition where the highest bit is set.
  Bits flipped_if_negative;

  std::size_t digit_of(Bits value, unsigned shift) const {
    const Bits sign = static_cast<Bits>(Bits(0) - (value >> (8 * sizeof(Bits) - 1)));
    const Bits key = static_cast<Bits>(value ^ flipped ^ (sign & flipped_if_negative));
    return static_cast<std::size_t>(key >> shift) & (digit_values - 1);
  }

  // The bits that come after all others.
  Bits last() const {
    const Bits positive = static_cast<Bits>(~flipped);
    const bool is_negative = (positive >> (8 * sizeof(Bits) - 1)) != 0;
    return is_negative ? static_cast<Bits>(positive ^ flipped_if_negative) : positive;
  }
};
template <class Type, class Bits> inline digit_order<Bits> digits_in(order wanted) {
  constexpr Bits sign = static_cast<Bits>(Bits(1) << (8 * sizeof(Type) - 1));
  const Bits flipped = std::is_signed_v<Type> ? sign : Bits(0);
  return {wanted == order::descending ? static_cast<Bits>(~flipped) : flipped,
          std::is_floating_point_v<Type> ? static_cast<Bits>(~sign) : Bits(0)};
}

} // namespace sinter::stdpar

#endif
