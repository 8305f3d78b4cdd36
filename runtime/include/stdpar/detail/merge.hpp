// The primitive of algorithms that merge sorted ranges.
//
// In: two sorted ranges. Out: the merged one, or a part of it. Of equivalent elements those of the
// left range come first.
#ifndef SINTER_STDPAR_MERGE_HPP
#define SINTER_STDPAR_MERGE_HPP

#include "bodies.hpp"
#include "loop.hpp"
#include "merge_in_groups.hpp"
#include "merge_path.hpp"
#include "tiles.hpp"

#include <cstddef>
#include <utility>

namespace sinter::stdpar {

// True if elements of both ranges may be copied to a group's memory.
template <class Left, class Right> constexpr bool are_staged() {
  if constexpr (are_objects_v<Left, Right>)
    return is_value<element_of<Left>>::value && fits_in_group_v<element_of<Left>>;
  else
    return false;
}

template <class Left, class Right, class Output, class Compare> struct merge_kernel {
  static constexpr bool is_staged = are_staged<Left, Right>();
  static constexpr std::size_t own_elements = is_staged ? merge_elements<element_of<Left>> : merge_elements<void *>;

  Left left;
  Right right;
  Output out;
  Compare compare;
  tiles parts;
  found_places found;

  void run() const {
    if (found.is_search) {
      const std::size_t part = item_index(), first = parts.first(part);
      if (part <= parts.count())
        found.lefts[part] = stdpar::taken_from_left(left, right, first < parts.size ? first : parts.size, compare);
      return;
    }
    if (!is_alone())
      return together();
    const std::size_t tile = group_index(), first = parts.first(tile);
    const std::size_t l = stdpar::taken_from_left(left, right, first, compare);
    stdpar::merge_part(left, right, l, first - l, parts.last(tile) - first, stores_from(first), compare);
  }

  auto stores_from(std::size_t first) const {
    return [this, first](std::size_t n, auto &&element) {
      stdpar::at(out, first + n) = std::forward<decltype(element)>(element);
    };
  }

  void together() const {
    const std::size_t part = group_index(), first = parts.first(part), count = parts.last(part) - first;
    const merge_split split = found.lefts != nullptr
                                  ? found.split(part, first, found.lefts[part + 1])
                                  : stdpar::split_together(left, right, first, count, compare);
    if constexpr (is_staged)
      merge_staged(first, count, split);
    else
      merge_own(first, count, split);
  }

  // By way of the group's memory, from and to which neighbours move neighbours.
  void merge_staged(std::size_t first, std::size_t count, const merge_split &split) const {
    using value = element_of<Left>;
    const group_merge<value, Compare> merge{compare};
    stdpar::move_together(
        count,
        [&](std::size_t n) -> const value & {
          return n < split.left_size ? left[split.left + n] : right[split.right + (n - split.left_size)];
        },
        [&](std::size_t n, const value &element) { merge.set(n, element); });
    stdpar::synchronize();
    merge.merge(0, split.left_size, count);
    for (std::size_t n = lane(); n < count; n += width())
      stdpar::at(out, first + n) = merge.elements()[n];
  }

  // Each work-item merges elements that are neighbours.
  void merge_own(std::size_t first, std::size_t count, const merge_split &split) const {
    const std::size_t own = lane() * own_elements;
    if (own >= count)
      return;
    const offset_of<Left> one{left, split.left, split.left_size};
    const offset_of<Right> other{right, split.right, count - split.left_size};
    const std::size_t l = stdpar::taken_from_left(one, other, own, compare);
    const std::size_t most = count - own < own_elements ? count - own : own_elements;
    stdpar::merge_part(one, other, l, own - l, most, stores_from(first + own), compare);
  }
};

// Parts for one work-item each, or for groups in which each work-item has `elements` of them and
// `bytes` bytes of the group's memory.
SINTER_STDPAR_ONCE bool run_merge(const bound_kernel &kernel, tiles &parts, found_places &found, std::size_t size,
                                  std::size_t elements, std::size_t bytes) {
  return size == 0 || stdpar::shaped([&] {
           const std::uint32_t group = stdpar::group_size_for(bytes);
           const std::size_t length = group * elements;
           parts = group == 1 ? tiles(size) : tiles(size, (size + length - 1) / length, length);
           found = {};
           if (group == 1)
             return stdpar::run(kernel, stdpar::parts_of(parts.count()));
           const shape all = stdpar::groups_of(parts.count(), group, bytes);
           if (parts.count() < parts_found_first)
             return stdpar::run(kernel, all);
           const scratch<std::size_t> lefts(parts.count() + 1);
           found = {lefts.get(), true};
           if (!stdpar::start(kernel, stdpar::groups_of(parts.count() / group + 1, group, bytes)))
             return false;
           found.is_search = false;
           return stdpar::run(kernel, all);
         });
}

// Merges two ranges into a third one that overlaps neither.
template <class Left, class Right, class Output, class Compare>
inline bool merge_ranges(const Left &left, const Right &right, const Output &out, Compare compare) {
  using kernel_of = merge_kernel<Left, Right, plain_of<Output>, Compare>;
  kernel_of kernel{left, right, stdpar::plain(out), compare, {}, {}};
  constexpr std::size_t elements = kernel_of::own_elements;
  std::size_t bytes = split_bytes;
  if constexpr (kernel_of::is_staged)
    bytes = merge_bytes<element_of<Left>>;
  return stdpar::run_merge(stdpar::bound_to(kernel), kernel.parts, kernel.found, left.size + right.size, elements, bytes);
}

// Merges the first `middle` elements of a range with the others.
template <class Iterator, class Compare>
inline bool merge_in_place(const Iterator &range, std::size_t middle, std::size_t size, const Compare &compare) {
  using run = run_of<plain_of<Iterator>>;
  const scratch<value_of<Iterator>> memory(size);
  const run left{stdpar::plain(range), 0, middle}, right{stdpar::plain(range), middle, size - middle};
  return stdpar::merge_ranges(left, right, memory.get(), compare) &&
         stdpar::loop(size, stdpar::copies(memory.get(), range));
}

} // namespace sinter::stdpar

#endif
