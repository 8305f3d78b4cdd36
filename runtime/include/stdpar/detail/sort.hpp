// The primitive of algorithms that sort.
//
// In: a range of values, and an order. Out: the sorted range. Numbers whose order is known are
// sorted by digits, everything else by comparison.
#ifndef SINTER_STDPAR_SORT_HPP
#define SINTER_STDPAR_SORT_HPP

#include "merge_sort.hpp"
#include "radix_sort.hpp"
#include "radix_sort_in_groups.hpp"

namespace sinter::stdpar {

template <class Iterator, class Compare>
inline bool sort_once(const Iterator &first, std::size_t size, const Compare &compare, bool is_stable) {
  using value = value_of<Iterator>;
  if constexpr (has_digits_v<value>) {
    constexpr order known = order_of<Compare, value>;
    if constexpr (known != order::none)
      if (size >= smallest_radix_sort && !(is_stable && std::is_floating_point_v<value>)) {
        if (stdpar::sorts_digits_in_groups(size))
          return stdpar::radix_sort_in_groups<known>(first, size);
        if (stdpar::group_size() == 1)
          return stdpar::radix_sort<known>(first, size);
      }
  }
  return stdpar::merge_sort(first, size, compare);
}

template <class Iterator, class Compare>
inline bool sort_range(const Iterator &first, std::size_t size, const Compare &compare, bool is_stable) {
  return stdpar::shaped([&] { return stdpar::sort_once(first, size, compare, is_stable); });
}

} // namespace sinter::stdpar

#endif
