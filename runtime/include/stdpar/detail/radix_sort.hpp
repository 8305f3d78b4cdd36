// Sorting numbers by their digits.
//
// In: a range of numbers, in ascending or descending order. Out: the sorted range. Equal numbers
// keep their order, but a negative zero comes before a positive one. As in merge_sort.hpp, the
// range holds all elements when a launch does not happen.
#ifndef SINTER_STDPAR_RADIX_SORT_HPP
#define SINTER_STDPAR_RADIX_SORT_HPP

#include "digits.hpp"
#include "group.hpp"
#include "launch.hpp"
#include "loop.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <cstdint>

namespace sinter::stdpar {

template <order Order, class Iterator> struct count_digits_kernel {
  Iterator range;
  tiles parts;
  unsigned shift;
  std::uint32_t *counts;

  void run() const {
    const std::size_t tile = group_index();
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
    const std::size_t tile = group_index();
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
  const shape all = stdpar::groups_of(parts.count(), 1, 0);
  bool is_beside = false;
  for (unsigned shift = 0; shift != 8 * sizeof(value); shift += digit_bits) {
    const bool has_counted = is_beside ? stdpar::run(counts_beside{beside.get(), parts, shift, counts.get()}, all)
                                       : stdpar::run(counts_here{range, parts, shift, counts.get()}, all);
    if (!has_counted)
      return false;
    if (!place_of_digits(parts.count(), counts.get(), size, places.get()))
      continue;
    const bool has_moved = is_beside ? stdpar::run(returns{beside.get(), range, parts, shift, places.get()}, all)
                                     : stdpar::run(leaves{range, beside.get(), parts, shift, places.get()}, all);
    if (!has_moved)
      return false;
    is_beside = !is_beside;
  }
  const auto back = [range, from = beside.get()](std::size_t index) { stdpar::at(range, index) = from[index]; };
  return !is_beside || stdpar::loop(size, back);
}

} // namespace sinter::stdpar

#endif
