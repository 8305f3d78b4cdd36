// The primitive of algorithms that merge sorted ranges.
//
// In: two sorted ranges. Out: the merged one, or a part of it. Of equivalent elements those of the
// left range come first.
#ifndef SINTER_STDPAR_MERGE_HPP
#define SINTER_STDPAR_MERGE_HPP

#include "launch.hpp"
#include "loop.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <cstddef>
#include <utility>

namespace sinter::stdpar {

// A part of a range, by indices.
template <class Iterator> struct run_of {
  Iterator base;
  std::size_t first;
  std::size_t size;

  decltype(auto) operator[](std::size_t index) const { return stdpar::at(base, first + index); }
};

// Elements of a range, by a list of their indices.
template <class Iterator> struct chosen_of {
  Iterator base;
  const std::size_t *indices;
  std::size_t size;

  decltype(auto) operator[](std::size_t index) const { return stdpar::at(base, indices[index]); }
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

template <class Left, class Right>
inline constexpr bool are_objects_v =
    std::is_lvalue_reference_v<Left> && std::is_lvalue_reference_v<Right> &&
    std::is_same_v<std::remove_cv_t<std::remove_reference_t<Left>>, std::remove_cv_t<std::remove_reference_t<Right>>>;

// Stores `count` elements of the merged range, from its element `from` on, by `store(n, element)`.
template <class Left, class Right, class Store, class Compare>
inline void merge_part(const Left &left, const Right &right, std::size_t from, std::size_t count, const Store &store,
                       const Compare &compare) {
  std::size_t l = stdpar::taken_from_left(left, right, from, compare);
  std::size_t r = from - l, n = 0;
  for (; n != count && l != left.size && r != right.size; ++n) {
    const bool is_right = static_cast<bool>(stdpar::call(compare, right[r], left[l]));
    // Where the elements are objects of one type a choice of two addresses: a branch would be
    // mispredicted each other time.
    if constexpr (are_objects_v<decltype(left[l]), decltype(right[r])>)
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

template <class Left, class Right, class Output, class Compare> struct merge_kernel {
  Left left;
  Right right;
  Output out;
  Compare compare;
  tiles parts;

  void run() const {
    const std::size_t tile = item_index(), first = parts.first(tile);
    if (first >= parts.size)
      return;
    const auto store = [&](std::size_t n, auto &&element) {
      stdpar::at(out, first + n) = std::forward<decltype(element)>(element);
    };
    stdpar::merge_part(left, right, first, parts.last(tile) - first, store, compare);
  }
};

// Merges two ranges into a third one that overlaps neither.
template <class Left, class Right, class Output, class Compare>
inline bool merge_ranges(const Left &left, const Right &right, const Output &out, const Compare &compare) {
  return left.size + right.size == 0 || stdpar::shaped([&] {
           const tiles parts = tiles::of_items(left.size + right.size);
           return stdpar::run(merge_kernel<Left, Right, Output, Compare>{left, right, out, compare, parts},
                              stdpar::parts_of(parts.count()));
         });
}

// Merges the first `middle` elements of a range with the others.
template <class Iterator, class Compare>
inline bool merge_in_place(const Iterator &range, std::size_t middle, std::size_t size, const Compare &compare) {
  const scratch<value_of<Iterator>> memory(size);
  const auto beside = memory.get();
  const auto back = [range, beside](std::size_t index) { stdpar::at(range, index) = beside[index]; };
  const run_of<Iterator> left{range, 0, middle}, right{range, middle, size - middle};
  return stdpar::merge_ranges(left, right, beside, compare) && stdpar::loop(size, back);
}

} // namespace sinter::stdpar

#endif
