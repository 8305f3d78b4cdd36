// The primitive of algorithms that look for the first element of a kind.
//
// In: a predicate of an index. Out: the smallest index that satisfies it, or the number of indices.
// Parts behind a found index are not looked at.
#ifndef SINTER_STDPAR_SEARCH_HPP
#define SINTER_STDPAR_SEARCH_HPP

#include "group.hpp"
#include "launch.hpp"
#include "loop.hpp"
#include "tiles.hpp"

#include <algorithm>

namespace sinter::stdpar {

// The data of a launch.
struct search_work {
  tiles parts;
  std::size_t *found;
};

template <class Predicate> struct search_kernel {
  Predicate predicate;
  search_work work;
  static constexpr std::size_t block = 64;
  // Indices of a work-item after which it asks what the others have found.
  static constexpr std::size_t unasked = 8;

  void report(std::size_t index) const { __atomic_fetch_min(work.found, index, __ATOMIC_RELAXED); }

  void run() const {
    if (!is_alone())
      return look_together();
    const std::size_t tile = group_index();
    std::size_t index = work.parts.first(tile);
    if (index >= __atomic_load_n(work.found, __ATOMIC_RELAXED))
      return;
    const std::size_t last = work.parts.last(tile);
    // A loop with one exit becomes vector code. No index is asked for twice.
    if constexpr (!is_walk_v<Predicate>)
      for (; last - index >= block; index += block) {
        bool answers[block];
        bool any = false;
        for (std::size_t lane = 0; lane != block; ++lane)
          any |= answers[lane] = predicate(index + lane);
        if (any)
          return report(index + (std::find(answers, answers + block, true) - answers));
      }
    auto &&asked = stdpar::asked_from(predicate, index);
    for (; index != last; ++index)
      if (asked(index))
        return report(index);
  }

  // Each work-item looks at every index that is its own until one before them was found.
  void look_together() const {
    const std::size_t step = width(), last = work.parts.last(group_index());
    std::size_t index = work.parts.first(group_index()) + lane();
    while (index < last && index < stdpar::glance(work.found))
      for (std::size_t n = 0; n != unasked && index < last; ++n, index += step) {
        auto &&asked = stdpar::asked_from(predicate, index);
        if (asked(index))
          return report(index);
      }
  }
};

// Copies words of scratch memory to where the program reads them.
struct copy_words {
  const std::size_t *from;
  std::size_t *to;
  void operator()(std::size_t index) const { to[index] = from[index]; }
};

// By groups of `group` work-items.
SINTER_STDPAR_ONCE bool search_in_groups(const bound_kernel &kernel, search_work &work, std::uint32_t group,
                                         std::size_t &found) {
  const std::size_t size = found;
  const tiles parts(size, size, smallest_tile);
  const scratch<std::size_t> place(1), result(1, true);
  work = {parts, place.get()};
  if (!stdpar::is_kept(kernel) || !stdpar::start_setting(place.get(), 1, size) ||
      !stdpar::start(kernel, stdpar::groups_of(parts.count(), group, 0)) ||
      !stdpar::loop(1, copy_words{place.get(), result.get()}))
    return false;
  found = *result.get();
  return true;
}

SINTER_STDPAR_ONCE bool search_once(const bound_kernel &kernel, search_work &work, std::size_t &found) {
  if (const std::uint32_t group = stdpar::group_size(); group != 1)
    return stdpar::search_in_groups(kernel, work, group, found);
  // A device may not reach the variable.
  const scratch<std::size_t> place(1);
  *place.get() = found;
  // More parts than a reduction has: what is looked at in vain is at most a part of each thread.
  const tiles parts(found);
  work = {parts, place.get()};
  if (!stdpar::run(kernel, stdpar::parts_of(parts.count())))
    return false;
  found = *place.get();
  return true;
}

// `work` lies in the kernel's block.
SINTER_STDPAR_ONCE bool run_search(const bound_kernel &kernel, search_work &work, std::size_t size,
                                   std::size_t &found) {
  found = size;
  return size == 0 || stdpar::shaped([&] { return stdpar::search_once(kernel, work, found); });
}

// Stores the result in `found`.
template <class Predicate> inline bool search_range(std::size_t size, const Predicate &predicate, std::size_t &found) {
  search_kernel<Predicate> kernel{predicate, {}};
  return stdpar::run_search(stdpar::bound_to(kernel), kernel.work, size, found);
}

} // namespace sinter::stdpar

#endif
