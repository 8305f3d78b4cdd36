// The primitive of algorithms that sort.
//
// In: a range of values, and an order. Out: the sorted range. Numbers whose order is known are
// sorted by digits, everything else by comparison. Elements that are not side by side in memory are
// sorted in memory of their own.
#ifndef SINTER_STDPAR_SORT_HPP
#define SINTER_STDPAR_SORT_HPP

#include "bodies.hpp"
#include "merge_sort.hpp"
#include "radix_sort.hpp"
#include "radix_sort_in_groups.hpp"

namespace sinter::stdpar {

template <class Bits> SINTER_STDPAR_ONCE bool sort_digits(void *range, std::size_t size, digit_order<Bits> order) {
  return stdpar::shaped([&] {
    return stdpar::sorts_digits_in_groups(size) ? stdpar::radix_sort_in_groups(range, size, order)
                                                : stdpar::radix_sort(range, size, order);
  });
}

// True if it is worth the effort. A comparison sort takes the rest.
template <class Bits> inline bool sorts_digits(std::size_t size) {
  if (stdpar::group_size() == 1)
    return size >= smallest_radix_sort<Bits>;
  return size >= smallest_radix_sort_in_groups && stdpar::sorts_digits_in_groups(size);
}

template <class Type, class Compare>
inline bool sort_values(Type *range, std::size_t size, const Compare &compare, bool is_stable) {
  if constexpr (has_digits_v<Type>) {
    using bits = std::conditional_t<
        sizeof(Type) == 1, std::uint8_t,
        std::conditional_t<sizeof(Type) == 2, std::uint16_t,
                           std::conditional_t<sizeof(Type) == 4, std::uint32_t, std::uint64_t>>>;
    constexpr order known = order_of<Compare, Type>;
    if constexpr (known != order::none)
      if (!(is_stable && std::is_floating_point_v<Type>) && stdpar::sorts_digits<bits>(size))
        return stdpar::sort_digits(range, size, stdpar::digits_in<Type, bits>(known));
  }
  return stdpar::merge_sort(range, size, compare);
}

template <class Iterator, class Compare>
inline bool sort_range(const Iterator &first, std::size_t size, const Compare &compare, bool is_stable) {
  using value = value_of<Iterator>;
  if constexpr (std::is_same_v<plain_of<Iterator>, value *>) {
    return stdpar::sort_values(stdpar::plain(first), size, compare, is_stable);
  } else {
    const scratch<value> memory(size);
    return stdpar::loop(size, stdpar::copies(first, memory.get())) &&
           stdpar::sort_values(memory.get(), size, compare, is_stable) &&
           stdpar::loop(size, stdpar::copies(memory.get(), first));
  }
}

} // namespace sinter::stdpar

#endif
