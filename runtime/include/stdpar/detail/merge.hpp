// The primitive of algorithms that merge sorted ranges.
//
// In: two sorted ranges, and the place of a part of the merged one. Out: that part. Of equivalent
// elements those of the left range come first.
#ifndef SINTER_STDPAR_MERGE_HPP
#define SINTER_STDPAR_MERGE_HPP

#include "traits.hpp"

#include <cstddef>

namespace sinter::stdpar {

// A part of a range, by indices.
template <class Iterator> struct run_of {
  Iterator base;
  std::size_t first;
  std::size_t size;

  decltype(auto) operator[](std::size_t index) const { return stdpar::at(base, first + index); }
};

// How many of the first `count` elements of the merged range come from the left one: a binary
// search along the diagonal of the merge path.
template <class Left, class Right, class Compare>
inline std::size_t taken_from_left(const Left &left, const Right &right, std::size_t count, const Compare &compare) {
  std::size_t low = count > right.size ? count - right.size : 0;
  std::size_t high = count < left.size ? count : left.size;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (stdpar::call(compare, right[count - 1 - middle], left[middle]))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// Stores `count` elements of the merged range, from its element `from` on, by `store(n, element)`.
template <class Left, class Right, class Store, class Compare>
inline void merge_part(const Left &left, const Right &right, std::size_t from, std::size_t count, const Store &store,
                       const Compare &compare) {
  std::size_t l = stdpar::taken_from_left(left, right, from, compare);
  std::size_t r = from - l;
  for (std::size_t n = 0; n != count; ++n) {
    const bool is_right = r != right.size && (l == left.size || stdpar::call(compare, right[r], left[l]));
    if (is_right)
      store(n, right[r++]);
    else
      store(n, left[l++]);
  }
}

} // namespace sinter::stdpar

#endif
