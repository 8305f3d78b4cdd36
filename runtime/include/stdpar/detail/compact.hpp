// The primitive of algorithms that keep a part of the elements, in their order.
//
// In: a predicate of an index, a function that moves the element of an index to a place, and one
// that does so for the elements that are not kept; both write where the predicate does not read.
// Out: the number of elements kept. The predicate is called once for each index.
#ifndef SINTER_STDPAR_COMPACT_HPP
#define SINTER_STDPAR_COMPACT_HPP

#include "group.hpp"
#include "launch.hpp"
#include "scan_in_groups.hpp"
#include "tiles.hpp"

namespace sinter::stdpar {

// Elements that are not kept are lost, by default.
struct left_out {
  void operator()(std::size_t, std::size_t) const {}
};

// The data of a launch.
struct compact_work {
  std::size_t size;
  // By groups: the number of elements kept.
  scan_memory memory;
  std::size_t *kept;
  // By parts: one launch marks elements, and counts those of each part; a second one moves them.
  tiles parts;
  bool *marks;
  // The number of elements kept in each part, then in all before it.
  std::size_t *counts;
  bool is_first_launch;
};

template <class Predicate, class Move, class Drop> struct compact_kernel {
  Predicate predicate;
  Move move;
  Drop drop;
  compact_work work;

  void run() const {
    if (!is_alone())
      together();
    else if (work.is_first_launch)
      mark(group_index());
    else
      place(group_index());
  }

  void mark(std::size_t tile) const {
    std::size_t count = 0;
    for (std::size_t index = work.parts.first(tile), last = work.parts.last(tile); index != last; ++index) {
      const bool is_kept = static_cast<bool>(predicate(index));
      work.marks[index] = is_kept;
      count += is_kept;
    }
    work.counts[tile] = count;
  }

  void place(std::size_t tile) const {
    std::size_t place = work.counts[tile];
    for (std::size_t index = work.parts.first(tile), last = work.parts.last(tile); index != last; ++index)
      if (work.marks[index])
        move(index, place++);
      else
        drop(index, index - place);
  }

  // The places are prefix sums of the marks, which a group never writes to memory.
  void together() const {
    const std::plus<unsigned> add;
    const group_scan<unsigned, std::plus<unsigned>> scan(add, work.memory);
    const std::size_t part = scan.take_part(), step = width(), length = step * scan.own_elements;
    const std::size_t first = part * length, rest = work.size - first, count = rest < length ? rest : length;
    stdpar::move_together(
        count, [&](std::size_t index) { return static_cast<bool>(predicate(first + index)); },
        [&](std::size_t index, bool is_kept) { scan.elements()[index] = is_kept; });
    const unsigned before = scan.template sum_all<true>(part, count) ? *scan.before() : 0;
    const unsigned *const sums = scan.elements();
    for (std::size_t index = lane(); index < count; index += step) {
      const std::size_t sum = sums[index];
      if (sum != (index == 0 ? before : sums[index - 1]))
        move(first + index, sum - 1);
      else
        drop(first + index, first + index - sum);
    }
    if (first + count == work.size && lane() == 0)
      *work.kept = sums[count - 1];
  }
};

// Smaller numbers leave room for more groups.
inline constexpr std::size_t most_marks = ~0u;

// `work` lies in the kernel's block.
SINTER_STDPAR_ONCE bool compact_by_parts(const bound_kernel &kernel, compact_work &work, std::size_t &kept) {
  const tiles parts(work.size);
  const scratch<bool> marks(work.size);
  const scratch<std::size_t> counts(parts.count());
  work.parts = parts, work.marks = marks.get(), work.counts = counts.get();
  work.is_first_launch = true;
  if (!stdpar::run(kernel, stdpar::parts_of(parts.count())))
    return false;
  for (std::size_t tile = 0; tile != parts.count(); ++tile) {
    const std::size_t count = work.counts[tile];
    work.counts[tile] = kept;
    kept += count;
  }
  work.is_first_launch = false;
  return stdpar::run(kernel, stdpar::parts_of(parts.count()));
}

SINTER_STDPAR_ONCE bool run_compact_once(const bound_kernel &kernel, compact_work &work, std::size_t &kept) {
  const std::uint32_t group = stdpar::group_size_for(scan_bytes<unsigned>);
  if (group == 1 || work.size > most_marks)
    return stdpar::compact_by_parts(kernel, work, kept);
  const scratch<std::size_t> sum(1, true);
  work.kept = sum.get();
  if (!stdpar::run_scan(kernel, work.memory, group, work.size, sizeof(unsigned), alignof(unsigned),
                        scan_elements<unsigned>, scan_bytes<unsigned>, nullptr))
    return false;
  kept = *sum.get();
  return true;
}

SINTER_STDPAR_ONCE bool run_compact(const bound_kernel &kernel, compact_work &work, std::size_t &kept) {
  kept = 0;
  return work.size == 0 || stdpar::shaped([&] { return stdpar::run_compact_once(kernel, work, kept); });
}

template <class Predicate, class Move, class Drop>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, const Drop &drop,
                    std::size_t &kept) {
  compact_kernel<Predicate, Move, Drop> kernel{predicate, move, drop, {}};
  kernel.work.size = size;
  return stdpar::run_compact(stdpar::bound_to(kernel), kernel.work, kept);
}

template <class Predicate, class Move>
inline bool compact(std::size_t size, const Predicate &predicate, const Move &move, std::size_t &kept) {
  return stdpar::compact(size, predicate, move, left_out{}, kept);
}

} // namespace sinter::stdpar

#endif
