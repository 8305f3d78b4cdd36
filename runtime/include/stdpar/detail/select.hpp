// The primitive of algorithms that look for the elements of a rank.
//
// In: a range of values, a rank and an order. Out: the range, with the element that has this rank
// in its place, none greater before it, and none less behind it. Whatever happens, the range holds
// all elements: one that was not finished can be begun again.
#ifndef SINTER_STDPAR_SELECT_HPP
#define SINTER_STDPAR_SELECT_HPP

#include "partition.hpp"
#include "sort.hpp"

#include <algorithm>

namespace sinter::stdpar {

// Fewer elements are sorted.
inline constexpr std::size_t smallest_select = 4 * smallest_tile;
// An order of elements for which pivots are bad so often is an attack, or is no order.
inline constexpr unsigned most_pivots = 32;
// Enough that a pivot leaves an eighth of the elements, most of the time.
inline constexpr std::size_t samples = 63;

// An element that has about the wanted rank, by the ranks of some of the elements.
template <class Iterator, class Compare>
inline value_of<Iterator> pivot_of(const Iterator &range, std::size_t size, std::size_t rank, const Compare &compare) {
  using value = value_of<Iterator>;
  const scratch<value> memory(samples);
  value *const sample = memory.get();
  for (std::size_t n = 0; n != samples; ++n)
    sample[n] = stdpar::at(range, size / samples * n);
  std::sort(sample, sample + samples, [&](const value &left, const value &right) {
    return static_cast<bool>(stdpar::call(compare, left, right));
  });
  return sample[static_cast<std::size_t>(static_cast<double>(rank) / static_cast<double>(size) * samples)];
}

// True for the elements that are less than the pivot, or for those that are not greater.
template <class Iterator, class Compare> struct is_below {
  Iterator range;
  value_of<Iterator> pivot;
  Compare compare;
  bool is_strict;

  bool operator()(std::size_t index) const {
    auto &&element = stdpar::at(range, index);
    return is_strict ? static_cast<bool>(stdpar::call(compare, element, pivot))
                     : !stdpar::call(compare, pivot, element);
  }
};

template <class Iterator, class Compare>
inline bool select_rank(Iterator range, std::size_t size, std::size_t rank, const Compare &compare) {
  for (unsigned pivots = 0; size > smallest_select && pivots != most_pivots; ++pivots) {
    const value_of<Iterator> pivot = stdpar::pivot_of(range, size, rank, compare);
    std::size_t less, equal;
    if (!stdpar::compact_in_place<true>(range, size, is_below<Iterator, Compare>{range, pivot, compare, true}, less))
      return false;
    if (rank < less) {
      size = less;
      continue;
    }
    range += static_cast<difference_of<Iterator>>(less), size -= less, rank -= less;
    if (!stdpar::compact_in_place<true>(range, size, is_below<Iterator, Compare>{range, pivot, compare, false}, equal))
      return false;
    if (rank < equal)
      return true;
    range += static_cast<difference_of<Iterator>>(equal), size -= equal, rank -= equal;
  }
  return stdpar::sort_range(range, size, compare, false);
}

// Sorts the `count` smallest elements to the beginning of the range.
template <class Iterator, class Compare>
inline bool sort_smallest(const Iterator &range, std::size_t size, std::size_t count, const Compare &compare) {
  if (count != 0 && count < size && !stdpar::select_rank(range, size, count, compare))
    return false;
  return stdpar::sort_range(range, count, compare, false);
}

} // namespace sinter::stdpar

#endif
