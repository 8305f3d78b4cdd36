// Sorting by comparison.
//
// In: a range of values that may be copied as bytes, and an order. Out: the sorted range.
// Equivalent elements keep their order. At every moment between two launches either the range or
// the memory beside it holds all elements; a launch that does not happen leaves them in the range.
#ifndef SINTER_STDPAR_MERGE_SORT_HPP
#define SINTER_STDPAR_MERGE_SORT_HPP

#include "launch.hpp"
#include "loop.hpp"
#include "merge.hpp"
#include "tiles.hpp"

namespace sinter::stdpar {

// Sorts each part by itself.
template <class Iterator, class Compare> struct sort_part_kernel {
  using value = value_of<Iterator>;
  // Sorted by insertion, which is the fastest way for so few.
  static constexpr std::size_t inserted = 16;

  Iterator range;
  value *beside;
  Compare compare;
  tiles parts;

  void insert(std::size_t first, std::size_t last) const {
    for (std::size_t next = first + 1; next < last; ++next) {
      const value moved = stdpar::at(range, next);
      std::size_t place = next;
      for (; place != first && stdpar::call(compare, moved, stdpar::at(range, place - 1)); --place)
        stdpar::at(range, place) = stdpar::at(range, place - 1);
      stdpar::at(range, place) = moved;
    }
  }

  // Merges the sorted runs of `width` elements in pairs.
  template <class From, class To>
  void merge_runs(const From &from, const To &to, std::size_t first, std::size_t last, std::size_t width) const {
    for (std::size_t start = first; start < last; start += 2 * width) {
      const std::size_t left = last - start < width ? last - start : width;
      const std::size_t rest = last - start - left;
      const std::size_t right = rest < width ? rest : width;
      const run_of<From> one = {from, start, left}, other = {from, start + left, right};
      const auto store = [&](std::size_t n, const value &element) { stdpar::at(to, start + n) = element; };
      stdpar::merge_part(one, other, 0, left + right, store, compare);
    }
  }

  void run() const {
    const std::size_t tile = item_index(), first = parts.first(tile);
    if (first >= parts.size)
      return;
    const std::size_t last = parts.last(tile);
    for (std::size_t start = first; start < last; start += inserted)
      insert(start, last - start < inserted ? last : start + inserted);
    std::size_t width = inserted;
    for (; width < last - first; width *= 4) {
      merge_runs(range, beside, first, last, width);
      merge_runs(beside, range, first, last, 2 * width);
    }
  }
};

// Merges sorted runs of `width` elements in pairs, each work-item a part of a merged one.
template <class From, class To, class Compare> struct merge_runs_kernel {
  From from;
  To to;
  Compare compare;
  tiles parts;
  std::size_t width;

  void run() const {
    const std::size_t tile = item_index(), first = parts.first(tile);
    if (first >= parts.size)
      return;
    const std::size_t count = parts.last(tile) - first;
    const std::size_t start = first / (2 * width) * (2 * width);
    const std::size_t left = parts.size - start < width ? parts.size - start : width;
    const std::size_t rest = parts.size - start - left;
    const run_of<From> one = {from, start, left}, other = {from, start + left, rest < width ? rest : width};
    const auto store = [&](std::size_t n, const value_of<From> &element) { stdpar::at(to, first + n) = element; };
    stdpar::merge_part(one, other, first - start, count, store, compare);
  }
};

template <class Iterator, class Compare>
inline bool merge_sort(const Iterator &range, std::size_t size, const Compare &compare) {
  using value = value_of<Iterator>;
  using sorts = sort_part_kernel<Iterator, Compare>;
  using leaves = merge_runs_kernel<Iterator, value *, Compare>;
  using returns = merge_runs_kernel<value *, Iterator, Compare>;
  if (size < 2)
    return true;
  if (!stdpar::are_kept<sorts, leaves, returns>())
    return false;
  const tiles parts = tiles::of_items(size);
  const scratch<value> beside(size);
  const shape all = stdpar::parts_of(parts.count());
  if (!stdpar::run(sorts{range, beside.get(), compare, parts}, all))
    return false;
  // Two passes at a time: the elements are in the range again after each pair.
  for (std::size_t width = parts.length; width < size; width *= 4)
    if (!stdpar::start(leaves{range, beside.get(), compare, parts, width}, all) ||
        !stdpar::run(returns{beside.get(), range, compare, parts, 2 * width}, all))
      return false;
  return true;
}

} // namespace sinter::stdpar

#endif
