// Merging by one work-item.
//
// In: two sorted ranges with `size` and a subscript, and places on their merge path: the numbers of
// elements taken from each. Out: the place after a number of elements, or the elements from one on.
// Of equivalent elements those of the left range come first.
#ifndef SINTER_STDPAR_MERGE_PATH_HPP
#define SINTER_STDPAR_MERGE_PATH_HPP

#include "traits.hpp"

#include <cstddef>
#include <type_traits>
#include <utility>

namespace sinter::stdpar {

// A part of a range, by indices.
template <class Iterator> struct run_of {
  Iterator base;
  std::size_t first;
  std::size_t size;

  decltype(auto) operator[](std::size_t index) const { return stdpar::at(base, first + index); }
};
// A part of such a range.
template <class Range> struct offset_of {
  const Range &base;
  std::size_t first;
  std::size_t size;

  decltype(auto) operator[](std::size_t index) const { return base[first + index]; }
};

template <class Range> using subscript_of = decltype(std::declval<const Range &>()[0]);
template <class Range> using element_of = std::remove_cv_t<std::remove_reference_t<subscript_of<Range>>>;

// True if the elements of two ranges are objects of one type.
template <class Left, class Right>
inline constexpr bool are_objects_v =
    std::is_lvalue_reference_v<subscript_of<Left>> && std::is_lvalue_reference_v<subscript_of<Right>> &&
    std::is_same_v<element_of<Left>, element_of<Right>>;

// True if element `index` of the left range comes behind the first `count` merged elements, if the
// others of these come from the right one.
template <class Left, class Right, class Compare>
inline bool is_behind(const Left &left, const Right &right, std::size_t count, std::size_t index,
                      const Compare &compare) {
  return static_cast<bool>(stdpar::call(compare, right[count - 1 - index], left[index]));
}

// The least and the greatest number of elements that can come from the left range.
template <class Left, class Right>
inline std::size_t least_from_left(const Left &, const Right &right, std::size_t count) {
  return count > right.size ? count - right.size : 0;
}
template <class Left, class Right>
inline std::size_t most_from_left(const Left &left, const Right &, std::size_t count) {
  return count < left.size ? count : left.size;
}

// How many of the first `count` elements of the merged range come from the left one: a binary
// search along the diagonal of the merge path.
template <class Left, class Right, class Compare>
inline std::size_t taken_from_left(const Left &left, const Right &right, std::size_t count, const Compare &compare) {
  std::size_t low = stdpar::least_from_left(left, right, count);
  std::size_t high = stdpar::most_from_left(left, right, count);
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (stdpar::is_behind(left, right, count, middle, compare))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Stores `count` elements of the merged range, of which `l` and `r` elements precede them, by
// `store(n, element)`.
template <class Left, class Right, class Store, class Compare>
inline void merge_part(const Left &left, const Right &right, std::size_t l, std::size_t r, std::size_t count,
                       const Store &store, const Compare &compare) {
  std::size_t n = 0;
  for (; n != count && l != left.size && r != right.size; ++n) {
    const bool is_right = static_cast<bool>(stdpar::call(compare, right[r], left[l]));
    // Where the elements are objects of one type a choice of two addresses: a branch would be
    // mispredicted each other time.
    if constexpr (are_objects_v<Left, Right>)
      store(n, is_right ? right[r] : left[l]);
    else if (is_right)
      store(n, right[r]);
    else
      store(n, left[l]);
    r += is_right, l += !is_right;
  }
  for (; n != count && l != left.size; ++n, ++l)
    store(n, left[l]);
  for (; n != count; ++n, ++r)
    store(n, right[r]);
}

} // namespace sinter::stdpar

#endif
