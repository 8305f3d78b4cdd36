// The primitive of algorithms that keep a part of the elements, in their order.
//
// In: a predicate of an index, a function that moves the element of an index to a place, and one
// that does so for the elements that are not kept. Out: the number of elements kept. The predicate
// is called once for each index, before anything is moved.
#ifndef SINTER_STDPAR_COMPACT_HPP
#define SINTER_STDPAR_COMPACT_HPP

#include "launch.hpp"
#include "tiles.hpp"

namespace sinter::stdpar {

template <class Predicate> struct mark_kernel {
  Predicate predicate;
  tiles parts;
  bool *marks;
  std::size_t *counts;

  void run() const {
    const std::size_t tile = tile_index();
    std::size_t count = 0;
    auto &&asked = stdpar::asked_from(predicate, parts.first(tile));
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index) {
      const bool is_kept = static_cast<bool>(asked(index));
      marks[index] = is_kept;
      count += is_kept;
    }
    counts[tile] = count;
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
    const std::size_t tile = tile_index();
    std::size_t place = places[tile];
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index)
      if (marks[index])
        move(index, place++);
      else
        drop(index, index - place);
  }
};

template <class Predicate, class Move, class Drop>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, const Drop &drop,
                    std::size_t &kept) {
  using marks_all = mark_kernel<Predicate>;
  using places_all = place_kernel<Move, Drop>;
  kept = 0;
  if (size == 0)
    return true;
  if (!stdpar::are_kept<marks_all, places_all>())
    return false;
  const tiles parts(size);
  const scratch<bool> marks(size);
  const scratch<std::size_t> places(parts.count());
  if (!stdpar::launch_tiles(marks_all{predicate, parts, marks.get(), places.get()}, parts.count()))
    return false;
  for (std::size_t tile = 0; tile != parts.count(); ++tile) {
    const std::size_t count = places.get()[tile];
    places.get()[tile] = kept;
    kept += count;
  }
  return stdpar::launch_tiles(places_all{move, drop, parts, marks.get(), places.get()}, parts.count());
}

template <class Predicate, class Move>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, std::size_t &kept) {
  return stdpar::compact(size, predicate, move, left_out{}, kept);
}

} // namespace sinter::stdpar

#endif
