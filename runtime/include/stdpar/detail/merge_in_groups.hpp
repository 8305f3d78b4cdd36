// Merging by groups of work-items.
//
// In: two sorted ranges, or two runs in the group's memory. Out: the place of a part on their merge
// path, found by all work-items together, or the merged runs. A work-item merges neighbours.
#ifndef SINTER_STDPAR_MERGE_IN_GROUPS_HPP
#define SINTER_STDPAR_MERGE_IN_GROUPS_HPP

#include "group.hpp"
#include "merge_path.hpp"
#include "reduce.hpp"

#include <cstddef>

namespace sinter::stdpar {

// Elements of a work-item: an odd number, so that neighbours find theirs in other banks of memory.
template <class Type>
inline constexpr std::size_t merge_elements = sizeof(Type) <= 4    ? 15
                                              : sizeof(Type) <= 8  ? 11
                                              : sizeof(Type) <= 16 ? 7
                                              : sizeof(Type) <= 32 ? 3
                                                                   : 1;
// Bytes of the group's memory for each work-item, before its elements: what a search needs.
inline constexpr std::size_t split_bytes = 64;
template <class Type>
inline constexpr std::size_t merge_bytes = merge_elements<Type> * sizeof(Type) < split_bytes
                                               ? split_bytes
                                               : merge_elements<Type> * sizeof(Type);
// Two work-items at least share the memory.
template <class Type> inline constexpr bool fits_in_group_v = 2 * merge_bytes<Type> <= most_group_bytes;

// A part of a merge: where it begins in both ranges, and how many elements come from the left one.
struct merge_split {
  std::size_t left;
  std::size_t right;
  std::size_t left_size;
};

// Finds the split of `count` merged elements from `first` on. One half of the group looks for the
// beginning, the other one for the end. In each round a work-item looks at one of the places that
// divide what is left.
template <class Left, class Right, class Compare>
inline merge_split split_together(const Left &left, const Right &right, std::size_t first, std::size_t count,
                                  const Compare &compare) {
  const std::size_t own = lane(), half = width() / 2, side = own / half, number = own % half;
  const std::size_t taken = side == 0 ? first : first + count;
  // The group's memory: least and greatest result of both sides; what the work-items have seen.
  std::size_t *const bounds = group_memory<std::size_t>();
  bool *const seen = group_memory<bool>(4 * sizeof(std::size_t));
  if (number == 0) {
    bounds[2 * side] = stdpar::least_from_left(left, right, taken);
    bounds[2 * side + 1] = stdpar::most_from_left(left, right, taken);
  }
  stdpar::synchronize();
  while (bounds[0] != bounds[1] || bounds[2] != bounds[3]) {
    const std::size_t low = bounds[2 * side], high = bounds[2 * side + 1];
    const std::size_t step = (high - low + half) / (half + 1);
    const std::size_t end = low + (number + 1) * step;
    const bool is_seen = low == high || end > high || stdpar::is_behind(left, right, taken, end - 1, compare);
    seen[own] = is_seen;
    stdpar::synchronize();
    // The first one that has seen a place behind the result, and the last one, if none has.
    if (low != high && is_seen && (number == 0 || !seen[own - 1])) {
      bounds[2 * side] = end - step;
      bounds[2 * side + 1] = end > high ? high : end - 1;
    } else if (low != high && !is_seen && number == half - 1) {
      bounds[2 * side] = end;
    }
    stdpar::synchronize();
  }
  const std::size_t from = bounds[0], to = bounds[2];
  stdpar::synchronize();
  return {from, first - from, to - from};
}

// With as many parts one launch finds all places first, by a work-item for each: a group that looks
// for its own waits for each step of the search. With fewer the launch takes longer.
inline constexpr std::size_t parts_found_first = 8192;

// The places of parts that were found before: how many elements come from the left range, of those
// before each part.
struct found_places {
  std::size_t *lefts = nullptr;
  // True in the launch that finds them.
  bool is_search = false;

  // The split of a part that begins behind `first` elements. `end`: its end in the left range.
  merge_split split(std::size_t part, std::size_t first, std::size_t end) const {
    return {lefts[part], first - lefts[part], end - lefts[part]};
  }
};

// Sorted runs in the group's memory.
template <class Type, class Compare> struct group_merge {
  static constexpr std::size_t own_elements = merge_elements<Type>;

  const Compare &compare;

  Type *elements() const { return group_memory<Type>(); }
  void set(std::size_t index, const Type &element) const {
    ::new (static_cast<void *>(elements() + index)) Type(element);
  }

  // Sorts the elements of the work-item, of which those from `count` on are not there.
  void sort_own(std::size_t count) const {
    Type *const element = elements();
    const std::size_t first = lane() * own_elements;
    const std::size_t last = first + own_elements < count ? first + own_elements : count;
    for (std::size_t next = first + 1; next < last; ++next) {
      Type moved = element[next];
      std::size_t place = next;
      for (; place != first && stdpar::call(compare, moved, element[place - 1]); --place)
        element[place] = element[place - 1];
      element[place] = moved;
    }
  }

  // Merges two sorted runs, from `first` to `middle` and from there to `end`, which have the
  // work-item's elements. All work-items take part.
  void merge(std::size_t first, std::size_t middle, std::size_t end) const {
    Type *const element = elements();
    const std::size_t own = lane() * own_elements;
    const run_of<Type *> left{element, first, middle - first}, right{element, middle, end - middle};
    std::size_t l = first, r = middle;
    if (own < end) {
      l += stdpar::taken_from_left(left, right, own - first, compare);
      r += own - l;
    }
    // Without branches, except those of the order: where a run has no more elements, another one is
    // compared in vain.
    room<Type> merged[own_elements];
#pragma unroll
    for (std::size_t n = 0; n != own_elements; ++n) {
      Type &one = element[l < end ? l : end - 1], &other = element[r < end ? r : end - 1];
      const bool is_less = static_cast<bool>(stdpar::call(compare, other, one));
      const bool is_right = (r != end) & ((l == middle) | is_less);
      ::new (static_cast<void *>(merged[n].bytes)) Type(is_right ? other : one);
      r += is_right, l += !is_right;
    }
    stdpar::synchronize();
#pragma unroll
    for (std::size_t n = 0; n != own_elements; ++n)
      if (own + n < end)
        element[own + n] = *merged[n].get();
    stdpar::synchronize();
  }
};

} // namespace sinter::stdpar

#endif
