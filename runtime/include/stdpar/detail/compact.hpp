// The primitive of algorithms that keep a part of the elements, in their order.
//
// In: a predicate of an index, a function that moves the element of an index to a place, and one
// that does so for the elements that are not kept. Out: the number of elements kept. The predicate
// is called once for each index, before anything is moved.
#ifndef SINTER_STDPAR_COMPACT_HPP
#define SINTER_STDPAR_COMPACT_HPP

#include "group.hpp"
#include "launch.hpp"
#include "scan_in_groups.hpp"
#include "tiles.hpp"

namespace sinter::stdpar {

template <class Predicate> struct mark_kernel {
  Predicate predicate;
  tiles parts;
  bool *marks;
  std::size_t *counts;

  void run() const {
    if (!is_alone())
      return mark_together();
    const std::size_t tile = group_index();
    std::size_t count = 0;
    auto &&asked = stdpar::asked_from(predicate, parts.first(tile));
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index) {
      const bool is_kept = static_cast<bool>(asked(index));
      marks[index] = is_kept;
      count += is_kept;
    }
    counts[tile] = count;
  }

  void mark_together() const {
    const std::size_t step = width();
    for (std::size_t index = parts.first(group_index()) + lane(); index < parts.last(group_index()); index += step) {
      auto &&asked = stdpar::asked_from(predicate, index);
      marks[index] = static_cast<bool>(asked(index));
    }
  }
};

// Elements that are not kept are lost, by default.
struct left_out {
  void operator()(std::size_t, std::size_t) const {}
};

template <class Move, class Drop> struct place_kernel {
  Move move;
  Drop drop;
  tiles parts;
  const bool *marks;
  const std::size_t *places;

  void run() const {
    const std::size_t tile = group_index();
    std::size_t place = places[tile];
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index)
      if (marks[index])
        move(index, place++);
      else
        drop(index, index - place);
  }
};

// The places as prefix sums of the marks. Smaller numbers leave room for more groups.
struct mark_values {
  const bool *marks;
  unsigned operator()(std::size_t index) const { return marks[index]; }
};
inline constexpr std::size_t most_marks = ~0u;
template <class Move, class Drop> struct move_by_mark {
  Move move;
  Drop drop;
  const bool *marks;
  std::size_t last;
  std::size_t *kept;

  void operator()(std::size_t index, unsigned sum) const {
    if (marks[index])
      move(index, std::size_t(sum) - 1);
    else
      drop(index, index - sum);
    if (index == last)
      *kept = sum;
  }
};

// By groups of `group` work-items.
template <class Predicate, class Move, class Drop>
inline bool compact_in_groups(std::uint32_t group, std::size_t size, const Predicate &predicate, const Move &move,
                              const Drop &drop, std::size_t &kept) {
  using marks_all = mark_kernel<Predicate>;
  using moves = move_by_mark<Move, Drop>;
  using places_all = scan_group_kernel<true, unsigned, mark_values, moves, std::plus<unsigned>>;
  if (!stdpar::are_kept<marks_all, places_all>())
    return false;
  const tiles parts(size, size, smallest_tile);
  const scratch<bool> marks(size);
  const scratch<std::size_t> sum(1, true);
  if (!stdpar::start(marks_all{predicate, parts, marks.get(), nullptr}, stdpar::groups_of(parts.count(), group, 0)) ||
      !stdpar::scan_in_groups<true, unsigned>(group, size, nullptr, mark_values{marks.get()},
                                              moves{move, drop, marks.get(), size - 1, sum.get()},
                                              std::plus<unsigned>()))
    return false;
  kept = *sum.get();
  return true;
}

template <class Predicate, class Move, class Drop>
inline bool compact_once(std::size_t size, const Predicate &predicate, const Move &move, const Drop &drop,
                         std::size_t &kept) {
  using marks_all = mark_kernel<Predicate>;
  using places_all = place_kernel<Move, Drop>;
  if (const std::uint32_t group = stdpar::group_size_for<scan_bytes<unsigned>>(); group != 1 && size <= most_marks)
    return stdpar::compact_in_groups(group, size, predicate, move, drop, kept);
  if (!stdpar::are_kept<marks_all, places_all>())
    return false;
  const tiles parts(size);
  const scratch<bool> marks(size);
  const scratch<std::size_t> places(parts.count());
  const shape all = stdpar::groups_of(parts.count(), 1, 0);
  if (!stdpar::run(marks_all{predicate, parts, marks.get(), places.get()}, all))
    return false;
  for (std::size_t tile = 0; tile != parts.count(); ++tile) {
    const std::size_t count = places.get()[tile];
    places.get()[tile] = kept;
    kept += count;
  }
  return stdpar::run(places_all{move, drop, parts, marks.get(), places.get()}, all);
}

template <class Predicate, class Move, class Drop>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, const Drop &drop,
                    std::size_t &kept) {
  kept = 0;
  return size == 0 || stdpar::shaped([&] { return stdpar::compact_once(size, predicate, move, drop, kept); });
}

template <class Predicate, class Move>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, std::size_t &kept) {
  return stdpar::compact(size, predicate, move, left_out{}, kept);
}

} // namespace sinter::stdpar

#endif
