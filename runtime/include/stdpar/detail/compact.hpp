// The primitive of algorithms that keep a part of the elements, in their order.
//
// In: a predicate of an index, and a function that moves the element of an index to a place. Out:
// the number of elements kept. The predicate is called once for each index, before anything is
// moved.
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
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index) {
      const bool is_kept = static_cast<bool>(predicate(index));
      marks[index] = is_kept;
      count += is_kept;
    }
    counts[tile] = count;
  }
};

template <class Move> struct place_kernel {
  Move move;
  tiles parts;
  const bool *marks;
  const std::size_t *places;

  void run() const {
    const std::size_t tile = tile_index();
    std::size_t place = places[tile];
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index)
      if (marks[index])
        move(index, place++);
  }
};

template <class Predicate, class Move>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, std::size_t &kept) {
  kept = 0;
  if (size == 0)
    return true;
  if (!stdpar::are_kept<mark_kernel<Predicate>, place_kernel<Move>>())
    return false;
  const tiles parts(size);
  const scratch<bool> marks(size);
  const scratch<std::size_t> places(parts.count());
  if (!stdpar::launch_tiles(mark_kernel<Predicate>{predicate, parts, marks.get(), places.get()}, parts.count()))
    return false;
  for (std::size_t tile = 0; tile != parts.count(); ++tile) {
    const std::size_t count = places.get()[tile];
    places.get()[tile] = kept;
    kept += count;
  }
  return stdpar::launch_tiles(place_kernel<Move>{move, parts, marks.get(), places.get()}, parts.count());
}

} // namespace sinter::stdpar

#endif
