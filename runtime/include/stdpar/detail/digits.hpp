// Numbers as unsigned ones whose digits sort them.
//
// In: a number, and ascending or descending order. Out: bits with that order, and their digits. A
// negative zero comes before a positive one.
#ifndef SINTER_STDPAR_DIGITS_HPP
#define SINTER_STDPAR_DIGITS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>

namespace sinter::stdpar {

inline constexpr unsigned digit_bits = 8;
inline constexpr std::size_t digit_values = std::size_t(1) << digit_bits;
// A comparison sort is faster below: the digits' places cost as much as these elements.
inline constexpr std::size_t smallest_radix_sort = 2048;

template <std::size_t Size> struct bits_of_size;
template <> struct bits_of_size<1> {
  using type = std::uint8_t;
};
template <> struct bits_of_size<2> {
  using type = std::uint16_t;
};
template <> struct bits_of_size<4> {
  using type = std::uint32_t;
};
template <> struct bits_of_size<8> {
  using type = std::uint64_t;
};

template <class Type>
inline constexpr bool has_digits_v = std::is_arithmetic_v<Type> && sizeof(Type) <= 8 && !std::is_same_v<Type, bool>;

enum class order { none, ascending, descending };
template <class Compare, class Type> inline constexpr order order_of = order::none;
template <class Type> inline constexpr order order_of<std::less<Type>, Type> = order::ascending;
template <class Type> inline constexpr order order_of<std::less<>, Type> = order::ascending;
template <class Type> inline constexpr order order_of<std::greater<Type>, Type> = order::descending;
template <class Type> inline constexpr order order_of<std::greater<>, Type> = order::descending;

// An unsigned number with the order of `value`.
template <order Order, class Type> inline auto key_of(Type value) {
  using bits = typename bits_of_size<sizeof(Type)>::type;
  constexpr bits sign = static_cast<bits>(bits(1) << (8 * sizeof(Type) - 1));
  bits key;
  std::memcpy(&key, &value, sizeof(Type));
  if constexpr (std::is_floating_point_v<Type>)
    key = (key & sign) != 0 ? static_cast<bits>(~key) : static_cast<bits>(key | sign);
  else if constexpr (std::is_signed_v<Type>)
    key ^= sign;
  return Order == order::descending ? static_cast<bits>(~key) : key;
}

template <order Order, class Type> inline std::size_t digit_of(Type value, unsigned shift) {
  return static_cast<std::size_t>(stdpar::key_of<Order>(value) >> shift) & (digit_values - 1);
}

} // namespace sinter::stdpar

#endif
