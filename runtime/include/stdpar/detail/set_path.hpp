// The path along which two sorted ranges are treated as sets.
//
// In: two sorted ranges with `size` and a subscript. Out: places on their path, which divide the
// work so that no place lies between two partners. Of equivalent elements the first one of the left
// range and the first one of the right range are partners, and the second ones, and so on; those
// that are left over have none. The path is that of a merge in which partners follow each other
// (O. Green, S. Odeh, Y. Birk: Merge Path, 2014; S. Baxter: moderngpu, "balanced path").
#ifndef SINTER_STDPAR_SET_PATH_HPP
#define SINTER_STDPAR_SET_PATH_HPP

#include "merge_path.hpp"

#include <cstddef>

namespace sinter::stdpar {

// The numbers of elements that precede a place in both ranges.
struct set_place {
  std::size_t left;
  std::size_t right;
};

// The first of the elements before `end`, none of which is greater than `key`, that is not less. It
// is one of the last mostly; steps that double find a far one.
template <class Range, class Key, class Compare>
inline std::size_t first_equivalent(const Range &range, std::size_t end, const Key &key, const Compare &compare) {
  std::size_t width = 1;
  for (; width <= end && !stdpar::call(compare, range[end - width], key); width *= 2)
    end -= width;
  std::size_t low = width <= end ? end - width + 1 : 0;
  while (low < end) {
    const std::size_t middle = low + (end - low) / 2;
    if (stdpar::call(compare, range[middle], key))
      low = middle + 1;
    else
      end = middle;
  }
  return low;
}

// The end of the elements between `first` and `end` that are not greater than `key`.
template <class Range, class Key, class Compare>
inline std::size_t end_of_equivalent(const Range &range, std::size_t first, std::size_t end, const Key &key,
                                     const Compare &compare) {
  while (first < end) {
    const std::size_t middle = first + (end - first) / 2;
    if (stdpar::call(compare, key, range[middle]))
      end = middle;
    else
      first = middle + 1;
  }
  return first;
}

// Moves a place of the merge path, where all equivalent elements of the left range come first, to
// the path of sets: as many elements precede it, or one more, the partner of the last one.
template <class Left, class Right, class Compare>
inline set_place with_partners(const Left &left, const Right &right, const set_place &merged, const Compare &compare) {
  if (merged.right == right.size)
    return merged;
  auto &&key = right[merged.right];
  const std::size_t left_first = stdpar::first_equivalent(left, merged.left, key, compare);
  const std::size_t right_first = stdpar::first_equivalent(right, merged.right, key, compare);
  const std::size_t lefts = merged.left - left_first, rights = merged.right - right_first, both = lefts + rights;
  if (both == 0)
    return merged;
  // Every other one is from the right range, as far as there are so many of both.
  std::size_t from_right = both / 2 < rights ? rights : both / 2;
  const std::size_t most = right.size - right_first <= from_right ? right.size : right_first + from_right + 1;
  const std::size_t there =
      stdpar::end_of_equivalent(right, merged.right + 1, most, key, compare) - right_first;
  from_right = from_right < there ? from_right : there;
  const std::size_t from_left = both - from_right;
  const bool divides = from_left == from_right + 1 && from_right < there;
  return {left_first + from_left, right_first + from_right + divides};
}

// The place that `count` elements precede, or one more.
template <class Left, class Right, class Compare>
inline set_place set_place_at(const Left &left, const Right &right, std::size_t count, const Compare &compare) {
  const std::size_t taken = stdpar::taken_from_left(left, right, count, compare);
  return stdpar::with_partners(left, right, {taken, count - taken}, compare);
}

} // namespace sinter::stdpar

#endif
