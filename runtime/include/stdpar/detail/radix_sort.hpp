// Sorting numbers by their digits.
//
// In: a range of numbers, in ascending or descending order. Out: the sorted range. Equal numbers
// keep their order, but a negative zero comes before a positive one. As in merge_sort.hpp, the
// range holds all elements when a launch does not happen.
#ifndef SINTER_STDPAR_RADIX_SORT_HPP
#define SINTER_STDPAR_RADIX_SORT_HPP

#include "launch.hpp"
#include "loop.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <cstdint>
#include <cstring>
#include <functional>

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

template <order Order, class Iterator> struct count_digits_kernel {
  Iterator range;
  tiles parts;
  unsigned shift;
  std::uint32_t *counts;

  void run() const {
    const std::size_t tile = tile_index();
    std::uint32_t count[digit_values] = {};
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index)
      ++count[stdpar::digit_of<Order>(stdpar::at(range, index), shift)];
    for (std::size_t digit = 0; digit != digit_values; ++digit)
      counts[tile * digit_values + digit] = count[digit];
  }
};

template <order Order, class From, class To> struct place_digits_kernel {
  From from;
  To to;
  tiles parts;
  unsigned shift;
  const std::size_t *places;

  void run() const {
    const std::size_t tile = tile_index();
    std::size_t place[digit_values];
    for (std::size_t digit = 0; digit != digit_values; ++digit)
      place[digit] = places[tile * digit_values + digit];
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index) {
      const auto element = stdpar::at(from, index);
      stdpar::at(to, place[stdpar::digit_of<Order>(element, shift)]++) = element;
    }
  }
};

// Turns the numbers of digits in each part into their places. False if all elements have the same
// digit, and thus their places already.
inline bool place_of_digits(std::size_t parts, const std::uint32_t *counts, std::size_t size, std::size_t *places) {
  std::size_t place = 0;
  for (std::size_t digit = 0; digit != digit_values; ++digit) {
    const std::size_t first = place;
    for (std::size_t at = digit; at < parts * digit_values; at += digit_values) {
      places[at] = place;
      place += counts[at];
    }
    if (place - first == size)
      return false;
  }
  return true;
}

template <order Order, class Iterator> inline bool radix_sort(const Iterator &range, std::size_t size) {
  using value = value_of<Iterator>;
  using counts_here = count_digits_kernel<Order, Iterator>;
  using counts_beside = count_digits_kernel<Order, value *>;
  using leaves = place_digits_kernel<Order, Iterator, value *>;
  using returns = place_digits_kernel<Order, value *, Iterator>;
  if (!stdpar::are_kept<counts_here, counts_beside, leaves, returns>())
    return false;
  const tiles parts(size);
  const scratch<value> beside(size);
  const scratch<std::uint32_t> counts(parts.count() * digit_values);
  const scratch<std::size_t> places(parts.count() * digit_values);
  bool is_beside = false;
  for (unsigned shift = 0; shift != 8 * sizeof(value); shift += digit_bits) {
    const bool has_counted =
        is_beside ? stdpar::launch_tiles(counts_beside{beside.get(), parts, shift, counts.get()}, parts.count())
                  : stdpar::launch_tiles(counts_here{range, parts, shift, counts.get()}, parts.count());
    if (!has_counted)
      return false;
    if (!place_of_digits(parts.count(), counts.get(), size, places.get()))
      continue;
    const bool has_moved =
        is_beside ? stdpar::launch_tiles(returns{beside.get(), range, parts, shift, places.get()}, parts.count())
                  : stdpar::launch_tiles(leaves{range, beside.get(), parts, shift, places.get()}, parts.count());
    if (!has_moved)
      return false;
    is_beside = !is_beside;
  }
  const auto back = [range, from = beside.get()](std::size_t index) { stdpar::at(range, index) = from[index]; };
  return !is_beside || stdpar::loop(size, back);
}

} // namespace sinter::stdpar

#endif
