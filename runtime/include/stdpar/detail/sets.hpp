// The primitive of algorithms that treat sorted ranges as sets.
//
// In: two sorted ranges, and an operation. Out: the elements that it keeps, in their order, and
// their number. Of partners (set_path.hpp) the one of the left range is kept. On a CPU one launch
// counts the elements of each part, and a second one stores them, so that elements are compared
// twice; a range of one part is gone through once.
#ifndef SINTER_STDPAR_SETS_HPP
#define SINTER_STDPAR_SETS_HPP

#include "group.hpp"
#include "launch.hpp"
#include "merge_in_groups.hpp"
#include "scan_in_groups.hpp"
#include "set_path.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <type_traits>

namespace sinter::stdpar {

enum class set_operation { unite, intersect, subtract, subtract_both };

constexpr bool keeps_left(set_operation operation) { return operation != set_operation::intersect; }
constexpr bool keeps_right(set_operation operation) {
  return operation == set_operation::unite || operation == set_operation::subtract_both;
}
constexpr bool keeps_partners(set_operation operation) {
  return operation == set_operation::unite || operation == set_operation::intersect;
}

// A launch of work-items that have parts alone, or of groups, for which one finds the places of
// their parts: a group that looks for its own waits for each step of the search.
enum class set_step { count, store, all_at_once, find_places, in_groups };

// Parts that a work-item goes through side by side.
inline constexpr std::size_t parts_of_item = 4;
// With fewer steps it is not worth while.
inline constexpr std::size_t fewest_sure_steps = 4;

struct part_of_set {
  set_place at;
  set_place last;
  // Of what is kept: the place of the next element, and the end.
  std::size_t place;
  std::size_t end;

  // The number of steps that find elements in both ranges.
  std::size_t sure_steps() const {
    const std::size_t lefts = last.left - at.left, rights = last.right - at.right, places = end - place;
    const std::size_t both = lefts < rights ? lefts : rights;
    return both < places ? both : places;
  }
};

// Replaces the numbers of elements in parts by those in all parts before. Returns that of all.
inline std::size_t places_of_counts(std::size_t *counts, std::size_t parts) {
  std::size_t sum = 0;
  for (std::size_t part = 0; part != parts; ++part) {
    const std::size_t count = counts[part];
    counts[part] = sum;
    sum += count;
  }
  return sum;
}

// The data of a launch.
struct set_work {
  tiles parts;
  set_step step;
  // The number of elements kept in each part, then in all before it, and in all parts.
  std::size_t *counts;
  // By groups: the places of parts, what groups know of each other, the number of elements kept.
  set_place *places;
  scan_memory memory;
  std::size_t *kept;
};

// The next elements of both ranges: which one comes first. Partners come together.
struct next_of_both {
  bool is_left;
  bool is_right;

  template <class Left, class Right, class Compare>
  next_of_both(const Left &left, const Right &right, const set_place &at, const Compare &compare)
      : is_left(static_cast<bool>(stdpar::call(compare, left[at.left], right[at.right]))),
        is_right(!is_left && static_cast<bool>(stdpar::call(compare, right[at.right], left[at.left]))) {}

  bool are_partners() const { return !is_left & !is_right; }
  bool are_kept(set_operation operation) const {
    return (keeps_left(operation) & is_left) | (keeps_right(operation) & is_right) |
           (keeps_partners(operation) & are_partners());
  }
  set_place behind(const set_place &at) const { return {at.left + !is_right, at.right + !is_left}; }
};

template <set_operation Operation, class Left, class Right, class Output, class Compare> struct set_kernel {
  Left left;
  Right right;
  Output out;
  Compare compare;
  set_work work;

  void run() const {
    if (work.step == set_step::find_places) {
      if (const std::size_t part = item_index(); part <= work.parts.count())
        work.places[part] = place_at(part);
      return;
    }
    if (!is_alone())
      return together();
    part_of_set parts[parts_of_item];
    const std::size_t first = group_index() * parts_of_item;
    set_place at = place_at(first);
#pragma unroll
    for (std::size_t n = 0; n != parts_of_item; ++n) {
      const set_place last = place_at(first + n + 1);
      parts[n] = {at, last, 0, std::numeric_limits<std::size_t>::max()};
      at = last;
    }
    std::size_t *const counts = work.counts + first;
    if (work.step != set_step::store)
      count(parts, counts);
    if (work.step == set_step::count)
      return;
    if (work.step == set_step::all_at_once)
      counts[parts_of_item] = stdpar::places_of_counts(counts, parts_of_item);
#pragma unroll
    for (std::size_t n = 0; n != parts_of_item; ++n)
      parts[n].place = counts[n], parts[n].end = counts[n + 1];
    store(parts);
  }

  set_place place_at(std::size_t part) const {
    const std::size_t count = work.parts.first(part);
    return stdpar::set_place_at(left, right, count < work.parts.size ? count : work.parts.size, compare);
  }

  // Goes through several parts side by side, since each step waits for the one before it.
  template <class Step> static void go_through(part_of_set (&parts)[parts_of_item], const Step &step) {
    for (;;) {
      std::size_t sure = std::numeric_limits<std::size_t>::max();
#pragma unroll
      for (const part_of_set &part : parts)
        sure = sure < part.sure_steps() ? sure : part.sure_steps();
      if (sure < fewest_sure_steps)
        break;
      for (; sure != 0; --sure)
#pragma unroll
        for (part_of_set &part : parts)
          step(part);
    }
#pragma unroll
    for (part_of_set &part : parts)
      while (part.sure_steps() != 0)
        step(part);
  }

  void count(part_of_set (&parts)[parts_of_item], std::size_t *counts) const {
    part_of_set counted[parts_of_item];
    std::copy(parts, parts + parts_of_item, counted);
    go_through(counted, [this](part_of_set &part) {
      const next_of_both next(left, right, part.at, compare);
      part.place += next.are_partners();
      part.at = next.behind(part.at);
    });
#pragma unroll
    for (std::size_t n = 0; n != parts_of_item; ++n) {
      const std::size_t lefts = parts[n].last.left - parts[n].at.left, partners = counted[n].place;
      const std::size_t rights = parts[n].last.right - parts[n].at.right;
      if constexpr (Operation == set_operation::intersect)
        counts[n] = partners;
      else if constexpr (Operation == set_operation::subtract)
        counts[n] = lefts - partners;
      else
        counts[n] = lefts + rights - (keeps_partners(Operation) ? 1 : 2) * partners;
    }
  }

  // Values that nobody sees may be stored where others follow them.
  static constexpr bool may_overwrite = is_movable<Output>::value && is_storage<Output>::value;

  void store(part_of_set (&parts)[parts_of_item]) const {
    go_through(parts, [this](part_of_set &part) {
      const next_of_both next(left, right, part.at, compare);
      const bool is_kept = next.are_kept(Operation);
      // A branch would be mispredicted each other time.
      if (may_overwrite || is_kept)
        store_one(part.place, part.at, next.is_right);
      part.place += is_kept;
      part.at = next.behind(part.at);
    });
    for (part_of_set &part : parts) {
      if constexpr (keeps_left(Operation))
        for (; part.place != part.end && part.at.left != part.last.left; ++part.at.left, ++part.place)
          stdpar::at(out, part.place) = left[part.at.left];
      if constexpr (keeps_right(Operation))
        for (; part.place != part.end && part.at.right != part.last.right; ++part.at.right, ++part.place)
          stdpar::at(out, part.place) = right[part.at.right];
    }
  }

  void store_one(std::size_t place, const set_place &at, bool is_right) const {
    if constexpr (!keeps_right(Operation))
      stdpar::at(out, place) = left[at.left];
    else if constexpr (are_objects_v<Left, Right>)
      stdpar::at(out, place) = is_right ? right[at.right] : left[at.left];
    else if (is_right)
      stdpar::at(out, place) = right[at.right];
    else
      stdpar::at(out, place) = left[at.left];
  }

  // A group has the elements of its part in its memory, if they fit there, and numbers of those
  // that are kept.
  using element = element_of<Left>;
  static constexpr std::size_t words_of(std::size_t own, std::size_t bytes) {
    // One element more than the work-items have: a part may end with its partner.
    return (own * (bytes + sizeof(number)) + (bytes + sizeof(number)) / 2) / sizeof(unsigned) + 1;
  }
  using number = std::uint16_t;
  static constexpr bool may_stage() {
    if constexpr (are_objects_v<Left, Right>)
      return is_value<element>::value &&
             2 * scan_bytes<unsigned, words_of(merge_elements<element>, sizeof(element))> <= most_group_bytes;
    else
      return false;
  }
  static constexpr bool is_staged = may_stage();
  static constexpr std::size_t own_elements = is_staged ? merge_elements<element> : merge_elements<void *>;
  static constexpr std::size_t own_words = words_of(own_elements, is_staged ? sizeof(element) : 0);
  static constexpr std::size_t item_bytes = scan_bytes<unsigned, own_words>;
  using scan_of_group = group_scan<unsigned, std::plus<unsigned>, own_words>;

  void together() const {
    const std::plus<unsigned> add;
    const scan_of_group scan(add, work.memory);
    const std::size_t part = scan.take_part();
    const set_place from = work.places[part], to = work.places[part + 1];
    const offset_of<Left> one{left, from.left, to.left - from.left};
    const offset_of<Right> other{right, from.right, to.right - from.right};
    if constexpr (is_staged) {
      element *const staged = group_memory<element>();
      stdpar::move_together(
          one.size + other.size,
          [&](std::size_t n) -> const element & { return n < one.size ? one[n] : other[n - one.size]; },
          [&](std::size_t n, const element &value) { ::new (static_cast<void *>(staged + n)) element(value); });
      stdpar::synchronize();
      keep(scan, part, run_of<element *>{staged, 0, one.size}, run_of<element *>{staged, one.size, other.size});
    } else {
      keep(scan, part, one, other);
    }
  }

  // The elements that a work-item keeps, of those between two places: their numbers among all of
  // the part, and a bit for each.
  struct kept_elements {
    number numbers[own_elements + 1];
    std::uint32_t bits = 0;

    template <class One, class Other>
    kept_elements(const One &one, const Other &other, set_place at, const set_place &last, const Compare &compare) {
#pragma unroll
      for (std::size_t n = 0; n != own_elements + 1; ++n) {
        const bool has_left = at.left != last.left, has_right = at.right != last.right, has_both = has_left & has_right;
        bool is_left = has_left, is_right = has_right;
        if (has_both) {
          const next_of_both next(one, other, at, compare);
          is_left = next.is_left, is_right = next.is_right;
        }
        const bool is_kept = (keeps_left(Operation) & is_left) | (keeps_right(Operation) & is_right) |
                             (keeps_partners(Operation) & has_both & !is_left & !is_right);
        numbers[n] = static_cast<number>(is_right ? one.size + at.right : at.left);
        bits |= std::uint32_t(is_kept) << n;
        at = {at.left + (has_left & !is_right), at.right + (has_right & !is_left)};
      }
    }
  };

  template <class One, class Other>
  void keep(const scan_of_group &scan, std::size_t part, const One &one, const Other &other) const {
    const std::size_t own = lane(), all = one.size + other.size, start = own * own_elements;
    const set_place first = stdpar::set_place_at(one, other, start < all ? start : all, compare);
    unsigned *const shared = scan.sums();
    shared[own] = static_cast<unsigned>(first.left | first.right << 16);
    stdpar::synchronize();
    const bool is_last = own + 1 == width();
    const unsigned next = shared[is_last ? own : own + 1];
    const set_place last = is_last ? set_place{one.size, other.size} : set_place{next & 0xffff, next >> 16};
    const kept_elements kept(one, other, first, last, compare);
    stdpar::synchronize();
    shared[own] = static_cast<unsigned>(__builtin_popcount(kept.bits));
    const unsigned *const sums = stdpar::combine_prefixes(shared, shared + width(), width(), scan.operation);
    const unsigned count = sums[width() - 1];
    const std::size_t before = scan.sum_parts(part, count) ? *scan.before() : 0;
    number *const numbers = group_memory<number>(is_staged ? (all * sizeof(element) + 1) / 2 * 2 : 0);
    std::size_t place = own == 0 ? 0 : sums[own - 1];
#pragma unroll
    for (std::size_t n = 0; n != own_elements + 1; ++n)
      if ((kept.bits >> n & 1) != 0)
        numbers[place++] = kept.numbers[n];
    stdpar::synchronize();
    for (std::size_t n = own; n < count; n += width())
      store_chosen(one, other, numbers[n], before + n);
    if (work.parts.last(part) == work.parts.size && own == 0)
      *work.kept = before + count;
  }

  template <class One, class Other>
  void store_chosen(const One &one, const Other &other, std::size_t chosen, std::size_t place) const {
    if constexpr (keeps_right(Operation))
      if (chosen >= one.size) {
        stdpar::at(out, place) = other[chosen - one.size];
        return;
      }
    stdpar::at(out, place) = one[chosen];
  }
};

SINTER_STDPAR_ONCE bool operate_by_parts(const bound_kernel &kernel, set_work &work, std::size_t size,
                                         std::size_t &kept) {
  const std::size_t own = (size + parts_of_item - 1) / parts_of_item, shortest = smallest_tile / parts_of_item;
  work.parts = tiles(size, parts_of_item * most_tiles, own < shortest ? own : shortest);
  const std::size_t items = (work.parts.count() + parts_of_item - 1) / parts_of_item, parts = items * parts_of_item;
  const scratch<std::size_t> counts(parts + 1, true);
  work.counts = counts.get();
  work.step = items == 1 ? set_step::all_at_once : set_step::count;
  if (!stdpar::run(kernel, stdpar::parts_of(items)))
    return false;
  if (items != 1) {
    work.counts[parts] = stdpar::places_of_counts(work.counts, parts);
    work.step = set_step::store;
    if (!stdpar::run(kernel, stdpar::parts_of(items)))
      return false;
  }
  kept = work.counts[parts];
  return true;
}

// Smaller numbers leave room for more groups.
inline constexpr std::size_t most_in_groups = ~0u;

// `elements`: of a work-item of a group, each of which has `item_bytes` bytes of the group's
// memory. `work` lies in the kernel's block.
SINTER_STDPAR_ONCE bool run_set_operation(const bound_kernel &kernel, set_work &work, std::size_t size,
                                          std::size_t elements, std::size_t item_bytes, std::size_t &kept) {
  kept = 0;
  return size == 0 || stdpar::shaped([&] {
           const std::uint32_t group = stdpar::group_size_for(item_bytes);
           if (group == 1 || size > most_in_groups)
             return stdpar::operate_by_parts(kernel, work, size, kept);
           const std::size_t length = group * elements;
           const scratch<std::size_t> sum(1, true);
           work.parts = tiles(size, (size + length - 1) / length, length), work.kept = sum.get();
           const scratch<set_place> places(work.parts.count() + 1);
           work.places = places.get(), work.step = set_step::find_places;
           if (!stdpar::start(kernel, stdpar::groups_of(work.parts.count() / group + 1, group, item_bytes)))
             return false;
           work.step = set_step::in_groups;
           if (!stdpar::run_scan(kernel, work.memory, group, size, sizeof(unsigned), alignof(unsigned), elements,
                                 item_bytes, nullptr))
             return false;
           kept = *sum.get();
           return true;
         });
}

// Stores the number of elements in `kept`.
template <set_operation Operation, class Iterator, class Other, class Output, class Compare>
inline bool operate_on_sets(const Iterator &first, std::size_t size, const Other &other, std::size_t others,
                            const Output &out, const Compare &compare, std::size_t &kept) {
  using left = run_of<plain_of<Iterator>>;
  using right = run_of<plain_of<Other>>;
  using kernel_of = set_kernel<Operation, left, right, plain_of<Output>, Compare>;
  kernel_of kernel{left{stdpar::plain(first), 0, size}, right{stdpar::plain(other), 0, others}, stdpar::plain(out),
                   compare, {}};
  return stdpar::run_set_operation(stdpar::bound_to(kernel), kernel.work, size + others, kernel_of::own_elements,
                                   kernel_of::item_bytes, kept);
}

} // namespace sinter::stdpar

#endif
