// The primitive of algorithms that look for the first element of a kind.
//
// In: a predicate of an index. Out: the smallest index that satisfies it, or the number of indices.
// Parts behind a found index are not looked at.
#ifndef SINTER_STDPAR_SEARCH_HPP
#define SINTER_STDPAR_SEARCH_HPP

#include "launch.hpp"
#include "tiles.hpp"

#include <algorithm>

namespace sinter::stdpar {

template <class Predicate> struct search_kernel {
  Predicate predicate;
  tiles parts;
  std::size_t *found;
  static constexpr std::size_t width = 64;

  void report(std::size_t index) const { __atomic_fetch_min(found, index, __ATOMIC_RELAXED); }

  void run() const {
    const std::size_t tile = tile_index();
    std::size_t index = parts.first(tile);
    if (index >= __atomic_load_n(found, __ATOMIC_RELAXED))
      return;
    const std::size_t last = parts.last(tile);
    // A loop with one exit becomes vector code. No index is asked for twice.
    if constexpr (!is_walk_v<Predicate>)
      for (; last - index >= width; index += width) {
        bool answers[width];
        bool any = false;
        for (std::size_t lane = 0; lane != width; ++lane)
          any |= answers[lane] = predicate(index + lane);
        if (any)
          return report(index + (std::find(answers, answers + width, true) - answers));
      }
    auto &&asked = stdpar::asked_from(predicate, index);
    for (; index != last; ++index)
      if (asked(index))
        return report(index);
  }
};

// Stores the result in `found`.
template <class Predicate> inline bool search_range(std::size_t size, const Predicate &predicate, std::size_t &found) {
  found = size;
  if (size == 0)
    return true;
  // A device may not reach the variable.
  const scratch<std::size_t> place(1);
  *place.get() = size;
  // More parts than a reduction has: what is looked at in vain is at most a part of each thread.
  if (!stdpar::launch_tiles(search_kernel<Predicate>{predicate, tiles(size), place.get()}, tiles(size).count()))
    return false;
  found = *place.get();
  return true;
}

} // namespace sinter::stdpar

#endif
