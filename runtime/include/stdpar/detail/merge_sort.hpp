// Sorting by comparison.
//
// In: values in memory, and an order. Out: the sorted values. Equivalent elements keep their order.
// A launch that does not happen leaves all elements in their memory: only every other one writes
// there, from memory beside it.
#ifndef SINTER_STDPAR_MERGE_SORT_HPP
#define SINTER_STDPAR_MERGE_SORT_HPP

#include "launch.hpp"
#include "merge_in_groups.hpp"
#include "merge_path.hpp"
#include "tiles.hpp"

#include <algorithm>

namespace sinter::stdpar {

// The data of a launch.
struct sort_work {
  void *from;
  void *to;
  // Memory that a part can use.
  void *beside;
  tiles parts;
  // The length of sorted runs, which are merged in pairs; 0 where each part is sorted by itself.
  std::size_t width;
  // By groups: the places of the parts in their pairs of runs.
  found_places found;
};

template <class Type, class Compare> struct sort_kernel {
  // Elements of the first runs, which five comparisons sort without a branch.
  static constexpr std::size_t first_runs = 4;
  // Elements too large for the memory of a group are sorted by parts.
  static constexpr bool is_shared = fits_in_group_v<Type>;

  Compare compare;
  sort_work work;

  Type *from() const { return static_cast<Type *>(work.from); }
  Type *to() const { return static_cast<Type *>(work.to); }

  void run() const {
    if constexpr (is_shared)
      if (work.found.is_search)
        return find(item_index());
    const std::size_t part = group_index(), first = work.parts.first(part), last = work.parts.last(part);
    if constexpr (is_shared)
      if (!is_alone())
        return together(part, first, last);
    if (work.width == 0)
      sort_part(first, last);
    else
      merge_part(first, last);
  }

  // The pair of runs that has an element.
  struct pair_of_runs {
    std::size_t first, middle, last;
  };
  pair_of_runs runs_at(std::size_t index) const {
    const std::size_t size = work.parts.size, first = index / (2 * work.width) * (2 * work.width);
    const std::size_t middle = size - first < work.width ? size : first + work.width;
    return {first, middle, size - middle < work.width ? size : middle + work.width};
  }

  void find(std::size_t part) const {
    const std::size_t first = work.parts.first(part);
    if (first >= work.parts.size)
      return;
    const pair_of_runs runs = runs_at(first);
    const run_of<Type *> left{from(), runs.first, runs.middle - runs.first};
    const run_of<Type *> right{from(), runs.middle, runs.last - runs.middle};
    work.found.lefts[part] = stdpar::taken_from_left(left, right, first - runs.first, compare);
  }

  // One work-item merges a part of a pair of runs.
  void merge_part(std::size_t first, std::size_t last) const {
    const pair_of_runs runs = runs_at(first);
    merge_runs(from(), to(), runs, first, last);
  }
  void merge_runs(Type *source, Type *target, const pair_of_runs &runs, std::size_t first,
                  std::size_t last) const {
    const run_of<Type *> left{source, runs.first, runs.middle - runs.first};
    const run_of<Type *> right{source, runs.middle, runs.last - runs.middle};
    const std::size_t l = stdpar::taken_from_left(left, right, first - runs.first, compare);
    const auto store = [&](std::size_t n, const Type &element) { target[first + n] = element; };
    stdpar::merge_part(left, right, l, first - runs.first - l, last - first, store, compare);
  }

  // One work-item merges a pair of runs, the least and the greatest elements side by side, since
  // each step waits for the one before it. As many steps as the shorter run has elements stay
  // within both.
  void merge_from_both_ends(Type *source, Type *target, const pair_of_runs &runs) const {
    const std::size_t lefts = runs.middle - runs.first, rights = runs.last - runs.middle;
    const std::size_t sure = lefts < rights ? lefts : rights;
    Type *left = source + runs.first, *right = source + runs.middle, *out = target + runs.first;
    Type *left_end = right, *right_end = source + runs.last, *out_end = target + runs.last;
    for (std::size_t n = 0; n != sure; ++n) {
      const bool is_right = static_cast<bool>(stdpar::call(compare, *right, *left));
      *out++ = is_right ? *right : *left;
      right += is_right, left += !is_right;
      const bool is_left = static_cast<bool>(stdpar::call(compare, right_end[-1], left_end[-1]));
      *--out_end = is_left ? left_end[-1] : right_end[-1];
      left_end -= is_left, right_end -= !is_left;
    }
    // An order that contradicts itself does not lose elements.
    if (left > left_end || right > right_end)
      return merge_runs(source, target, runs, runs.first, runs.last);
    while (left != left_end && right != right_end) {
      const bool is_right = static_cast<bool>(stdpar::call(compare, *right, *left));
      *out++ = is_right ? *right : *left;
      right += is_right, left += !is_right;
    }
    out = std::copy(left, left_end, out);
    std::copy(right, right_end, out);
  }

  // The same for two pairs of whole runs, so that four elements are side by side.
  void merge_two_pairs(Type *source, Type *target, std::size_t first, std::size_t width) const {
    constexpr std::size_t pairs = 2;
    struct ends {
      Type *left, *right, *last_left, *last_right;
    } at[pairs];
    for (std::size_t pair = 0; pair != pairs; ++pair) {
      Type *const start = source + first + pair * 2 * width;
      at[pair] = {start, start + width, start + (width - 1), start + (2 * width - 1)};
    }
    for (std::size_t n = 0; n != width; ++n) {
#pragma unroll
      for (std::size_t pair = 0; pair != pairs; ++pair) {
        ends &of = at[pair];
        Type *const out = target + first + pair * 2 * width;
        const bool is_right = static_cast<bool>(stdpar::call(compare, *of.right, *of.left));
        out[n] = is_right ? *of.right : *of.left;
        of.right += is_right, of.left += !is_right;
        const bool is_left = static_cast<bool>(stdpar::call(compare, *of.last_right, *of.last_left));
        out[2 * width - 1 - n] = is_left ? *of.last_left : *of.last_right;
        of.last_left -= is_left, of.last_right -= !is_left;
      }
    }
    for (std::size_t pair = 0; pair != pairs; ++pair) {
      const std::size_t start = first + pair * 2 * width;
      if (at[pair].left > at[pair].last_left + 1 || at[pair].right > at[pair].last_right + 1)
        merge_runs(source, target, {start, start + width, start + 2 * width}, start, start + 2 * width);
    }
  }

  // One work-item sorts a part.
  void sort_part(std::size_t first, std::size_t last) const {
    Type *source = to(), *target = static_cast<Type *>(work.beside);
    // Afterwards the elements are where they shall be, since each round moves them.
    unsigned rounds = 0;
    for (std::size_t width = first_runs; width < last - first; width *= 2)
      ++rounds;
    if (rounds % 2 != 0)
      source = target, target = to();
    std::size_t sorted = first;
    for (; last - sorted >= first_runs; sorted += first_runs)
      sort_four(from() + sorted, source + sorted);
    insert(source, sorted, last);
    for (std::size_t width = first_runs; width < last - first; width *= 2) {
      std::size_t start = first;
      for (; last - start >= 4 * width; start += 4 * width)
        merge_two_pairs(source, target, start, width);
      for (; start < last; start += 2 * width) {
        const std::size_t middle = last - start < width ? last : start + width;
        const std::size_t end = last - middle < width ? last : middle + width;
        merge_from_both_ends(source, target, {start, middle, end});
      }
      Type *const other = source;
      source = target, target = other;
    }
  }
  // Each of two comparisons of neighbours leaves a smaller and a larger one.
  void sort_four(const Type *elements, Type *sorted) const {
    const auto is_less = [&](const Type &left, const Type &right) {
      return static_cast<bool>(stdpar::call(compare, left, right));
    };
    const Type four[] = {elements[0], elements[1], elements[2], elements[3]};
    const bool is_second = is_less(four[1], four[0]), is_fourth = is_less(four[3], four[2]);
    const Type *const small = four + is_second, *const large = four + !is_second;
    const Type *const other_small = four + 2 + is_fourth, *const other_large = four + 2 + !is_fourth;
    const bool is_other_least = is_less(*other_small, *small), is_first_most = is_less(*other_large, *large);
    sorted[0] = is_other_least ? *other_small : *small;
    sorted[3] = is_first_most ? *large : *other_large;
    const Type *const left = is_other_least ? small : is_first_most ? other_small : large;
    const Type *const right = is_first_most ? other_large : is_other_least ? large : other_small;
    const bool is_swapped = is_less(*right, *left);
    sorted[1] = is_swapped ? *right : *left;
    sorted[2] = is_swapped ? *left : *right;
  }
  void insert(Type *target, std::size_t first, std::size_t last) const {
    for (std::size_t next = first; next < last; ++next) {
      Type moved = from()[next];
      std::size_t place = next;
      for (; place != first && stdpar::call(compare, moved, target[place - 1]); --place)
        target[place] = target[place - 1];
      target[place] = moved;
    }
  }

  // A group sorts a part in its memory, or merges a part of a pair of runs.
  void together(std::size_t part, std::size_t first, std::size_t last) const {
    using group = group_merge<Type, Compare>;
    const group merge{compare};
    const std::size_t count = last - first;
    std::size_t width = group::own_elements, middle = 0;
    const auto put = [&](std::size_t n, const Type &element) { merge.set(n, element); };
    if (work.width == 0) {
      stdpar::move_together(count, [&](std::size_t n) -> const Type & { return from()[first + n]; }, put);
    } else {
      const pair_of_runs runs = runs_at(first);
      const run_of<Type *> left{from(), runs.first, runs.middle - runs.first};
      const run_of<Type *> right{from(), runs.middle, runs.last - runs.middle};
      const found_places &found = work.found;
      const merge_split split =
          found.lefts != nullptr
              ? found.split(part, first - runs.first, last == runs.last ? left.size : found.lefts[part + 1])
              : stdpar::split_together(left, right, first - runs.first, count, compare);
      middle = split.left_size;
      stdpar::move_together(
          count,
          [&](std::size_t n) -> const Type & {
            return n < middle ? left[split.left + n] : right[split.right + (n - middle)];
          },
          put);
      // One round merges the whole part.
      width = count;
    }
    stdpar::synchronize();
    if (work.width == 0) {
      merge.sort_own(count);
      stdpar::synchronize();
    }
    do {
      std::size_t start = 0, end = count;
      if (work.width == 0) {
        start = lane() * group::own_elements / (2 * width) * (2 * width);
        start = start < count ? start : count;
        middle = count - start < width ? count : start + width;
        end = count - middle < width ? count : middle + width;
      }
      merge.merge(start, middle, end);
      width *= 2;
    } while (width < count);
    for (std::size_t n = lane(); n < count; n += stdpar::width())
      to()[first + n] = merge.elements()[n];
  }
};

// The host's side. `elements`: of a work-item of a group, each of which has `item_bytes` bytes of
// the group's memory. `work` lies in the kernel's block.
SINTER_STDPAR_ONCE bool run_sort_once(const bound_kernel &kernel, sort_work &work, void *range, std::size_t size,
                                      std::size_t bytes, std::size_t alignment, std::size_t elements,
                                      std::size_t item_bytes) {
  if (size < 2)
    return true;
  if (!stdpar::is_kept(kernel))
    return false;
  const std::uint32_t group = stdpar::group_size_for(item_bytes);
  const std::size_t length = group * elements;
  const tiles parts = group == 1 ? tiles(size) : tiles(size, (size + length - 1) / length, length);
  const shape all =
      group == 1 ? stdpar::parts_of(parts.count()) : stdpar::groups_of(parts.count(), group, item_bytes);
  // Elements, and behind them the places of parts.
  const bool finds_first = group != 1 && parts.count() >= parts_found_first;
  constexpr std::size_t unit = sizeof(std::size_t);
  const std::size_t elements_bytes = (size * bytes + unit - 1) / unit * unit;
  const scratch_bytes beside(elements_bytes + (finds_first ? parts.count() * unit : 0), alignment, false);
  unsigned rounds = 0;
  for (std::size_t width = parts.length; width < size; width *= 2)
    ++rounds;
  // The last launch writes to the range. A part that one work-item sorts needs both.
  const bool begins_beside = group != 1 && rounds % 2 != 0;
  if (group == 1)
    rounds += rounds % 2;
  work = {range, begins_beside ? beside.get() : range, beside.get(), parts, 0, {}};
  if (!stdpar::launch(kernel, all, rounds == 0 ? until::complete : until::started))
    return false;
  for (work.width = parts.length; rounds != 0; work.width *= 2) {
    work.from = work.to, work.to = work.from == range ? beside.get() : range;
    if (finds_first) {
      work.found = {reinterpret_cast<std::size_t *>(static_cast<char *>(beside.get()) + elements_bytes), true};
      if (!stdpar::start(kernel, stdpar::groups_of(parts.count() / group + 1, group, item_bytes)))
        return false;
      work.found.is_search = false;
    }
    if (!stdpar::launch(kernel, all, --rounds == 0 ? until::complete : until::started))
      return false;
  }
  return true;
}

SINTER_STDPAR_ONCE bool run_sort(const bound_kernel &kernel, sort_work &work, void *range, std::size_t size,
                                 std::size_t bytes, std::size_t alignment, std::size_t elements,
                                 std::size_t item_bytes) {
  return stdpar::shaped(
      [&] { return stdpar::run_sort_once(kernel, work, range, size, bytes, alignment, elements, item_bytes); });
}

template <class Type, class Compare> inline bool merge_sort(Type *range, std::size_t size, Compare compare) {
  sort_kernel<Type, Compare> kernel{compare, {}};
  return stdpar::run_sort(stdpar::bound_to(kernel), kernel.work, range, size, sizeof(Type), alignof(Type),
                          merge_elements<Type>, merge_bytes<Type>);
}

} // namespace sinter::stdpar

#endif
