// Prefix sums by groups of work-items.
//
// In: values in the memory of groups. Out: the sums of all prefixes in their place. A group takes
// the next part that no other has, sums it up, and looks back at the sums of the parts before it
// until it finds the sum of all of them (D. Merrill, M. Garland: Single-pass Parallel Prefix Scan
// with Decoupled Look-back, 2016). A group waits only for groups that have started before it.
#ifndef SINTER_STDPAR_SCAN_IN_GROUPS_HPP
#define SINTER_STDPAR_SCAN_IN_GROUPS_HPP

#include "group.hpp"
#include "loop.hpp"
#include "reduce.hpp"
#include "tiles.hpp"

#include <cstring>

namespace sinter::stdpar {

// Elements of a work-item: an odd number, so that neighbours find theirs in other banks of memory.
template <class Type>
inline constexpr std::size_t scan_elements = sizeof(Type) <= 4    ? 31
                                             : sizeof(Type) <= 8  ? 15
                                             : sizeof(Type) <= 16 ? 7
                                             : sizeof(Type) <= 32 ? 3
                                                                  : 1;
// Parts that a group looks back at together, or as many as it has work-items.
inline constexpr std::size_t look_back = 32;

// The knowledge of a part.
enum part_state : unsigned { nothing, own_sum, sum_with_all_before };

// A sum of a part, and what it is the sum of.
template <class Type> struct known_sum {
  part_state state;
  room<Type> sum;
};

// The memory of a scan by groups.
struct scan_memory {
  // The number of parts that groups have taken, followed by what is known of each part.
  std::uint64_t *known;
  // Of each part the sum, and the one with all before it, where these are not in the words above.
  void *own_sums;
  void *sums;
  // The sum that precedes all values; null if there is none.
  const void *first_sum;
};

// The knowledge of all parts: a state for each part, and its sums.
template <class Type> struct scan_parts {
  std::uint64_t *known;
  Type *own_sums;
  Type *sums;

  explicit scan_parts(const scan_memory &memory)
      : known(memory.known), own_sums(static_cast<Type *>(memory.own_sums)), sums(static_cast<Type *>(memory.sums)) {}

  // A small sum shares a word with its state, so that one access finds both.
  static constexpr bool is_small = sizeof(Type) <= sizeof(unsigned) && std::is_trivially_copyable_v<Type>;
  static constexpr unsigned state_shift = 8 * sizeof(unsigned);

  unsigned take() const { return stdpar::add(reinterpret_cast<unsigned *>(known), 1); }

  void publish(std::size_t part, const Type &sum, part_state state) const {
    std::uint64_t word = std::uint64_t(state) << state_shift;
    if constexpr (is_small)
      __builtin_memcpy(&word, &sum, sizeof(Type));
    else
      ::new (static_cast<void *>((state == own_sum ? own_sums : sums) + part)) Type(sum);
    stdpar::publish(known + 1 + part, word);
  }

  // Waits until something is known of a part.
  void wait_for(std::size_t part, known_sum<Type> &found) const {
    std::uint64_t word;
    do
      word = stdpar::read(known + 1 + part);
    while (word == 0);
    found.state = static_cast<part_state>(word >> state_shift);
    if constexpr (is_small)
      __builtin_memcpy(found.sum.bytes, &word, sizeof(Type));
    else
      ::new (static_cast<void *>(found.sum.bytes)) Type((found.state == own_sum ? own_sums : sums)[part]);
  }
};

// Bytes of the group's memory for each work-item: its elements, its sum twice, and its share of
// what the group has once.
template <class Type, std::size_t Elements = scan_elements<Type>>
inline constexpr std::size_t scan_bytes = (Elements + 3) * sizeof(Type) + 2 * sizeof(known_sum<Type>);

// The work of one group.
template <class Type, class Operation, std::size_t Elements = scan_elements<Type>> struct group_scan {
  static constexpr std::size_t own_elements = Elements;

  const Operation &operation;
  scan_parts<Type> parts;
  // The sum that precedes all values; null if there is none.
  const Type *first_sum;

  group_scan(const Operation &operation, const scan_memory &memory)
      : operation(operation), parts(memory), first_sum(static_cast<const Type *>(memory.first_sum)) {}

  // The group's memory: elements, sums of the work-items twice, the sum of all parts before.
  Type *elements() const { return group_memory<Type>(); }
  Type *sums() const { return elements() + width() * own_elements; }
  Type *before() const { return sums() + 2 * width(); }
  // The sums of the parts that the group looks back at, twice.
  static std::size_t window_size() { return width() < look_back ? width() : look_back; }
  known_sum<Type> *window() const {
    constexpr std::size_t unit = alignof(known_sum<Type>);
    const std::size_t end = (width() * (own_elements + 2) + 1) * sizeof(Type);
    return group_memory<known_sum<Type>>((end + unit - 1) / unit * unit);
  }

  // Part of the group: parts are taken in the order in which groups start.
  std::size_t take_part() const {
    unsigned *const taken = group_memory<unsigned>();
    if (lane() == 0)
      *taken = parts.take();
    stdpar::synchronize();
    const std::size_t part = *taken;
    stdpar::synchronize();
    return part;
  }

  void sum_own(std::size_t count) const {
    const std::size_t first = lane() * own_elements, end = first + own_elements;
    if (first >= count)
      return;
    Type sum = elements()[first];
    for (std::size_t index = first + 1; index < (end < count ? end : count); ++index)
      sum = operation(sum, elements()[index]);
    ::new (static_cast<void *>(sums() + lane())) Type(sum);
  }

  // The sum of the parts before `part`, which is not the first one, to before().
  void sum_before(std::size_t part) const {
    const std::size_t own = lane(), most = window_size();
    for (std::size_t end = part, count;; end -= count) {
      count = end < most ? end : most;
      if (own < count)
        parts.wait_for(end - 1 - own, window()[own]);
      const known_sum<Type> *const all = add_window(count);
      if (own == 0) {
        if (end == part)
          ::new (static_cast<void *>(before())) Type(*all->sum.get());
        else
          *before() = operation(*all->sum.get(), *before());
      }
      // The parts before the first one have been added: that one knows the sum of all.
      const bool is_complete = all->state == sum_with_all_before;
      stdpar::synchronize();
      if (is_complete)
        return;
    }
  }

  // Adds the sums of `count` parts, the latest of which is the first one, up to one that knows the
  // sum of all before it. Returns the sum, in the group's memory.
  const known_sum<Type> *add_window(std::size_t count) const {
    const std::size_t own = lane();
    known_sum<Type> *sums = window(), *spare = window() + window_size();
    for (std::size_t step = 1; step < count; step *= 2) {
      stdpar::synchronize();
      if (own < count) {
        const bool is_complete = own + step >= count || sums[own].state == sum_with_all_before;
        add_older(sums[own], sums[is_complete ? own : own + step], is_complete, spare[own]);
      }
      known_sum<Type> *const other = sums;
      sums = spare, spare = other;
    }
    stdpar::synchronize();
    return sums;
  }

  void add_older(const known_sum<Type> &later, const known_sum<Type> &older, bool is_complete,
                 known_sum<Type> &result) const {
    void *const place = result.sum.bytes;
    if (is_complete)
      ::new (place) Type(*later.sum.get());
    else
      ::new (place) Type(operation(*older.sum.get(), *later.sum.get()));
    result.state = older.state;
  }

  // Replaces the elements of the work-item by what is stored in their places. `prefix` is the sum
  // of what precedes them; nothing does if `has_prefix` is false.
  template <bool Inclusive> void sum_prefixes(std::size_t count, const Type &prefix, bool has_prefix) const {
    std::size_t index = lane() * own_elements;
    const std::size_t end = index + own_elements < count ? index + own_elements : count;
    Type *const element = elements();
    Type sum = has_prefix ? prefix : element[index];
    if constexpr (Inclusive) {
      for (index += !has_prefix; index < end; ++index)
        element[index] = sum = operation(sum, element[index]);
    } else {
      for (; index < end; ++index) {
        const Type next = operation(sum, element[index]);
        element[index] = sum;
        sum = next;
      }
    }
  }

  // The same for each work-item that has elements. `of_items`: the sums of the work-items with all
  // before them, in the group's memory.
  template <bool Inclusive>
  void sum_prefixes_of_all(std::size_t count, const Type *of_items, bool has_before) const {
    const std::size_t own = lane();
    if (own * own_elements >= count)
      return;
    if (own == 0)
      sum_prefixes<Inclusive>(count, has_before ? *before() : elements()[0], has_before);
    else
      sum_prefixes<Inclusive>(
          count, has_before ? static_cast<Type>(operation(*before(), of_items[own - 1])) : of_items[own - 1], true);
  }

  // Replaces `count` elements, of which there is one at least, by the sums of all up to each. True
  // if something precedes them, the sum of which is before().
  template <bool Inclusive> bool sum_all(std::size_t part, std::size_t count) const {
    stdpar::synchronize();
    sum_own(count);
    const std::size_t owners = (count + own_elements - 1) / own_elements;
    const Type *const of_items = stdpar::combine_prefixes(sums(), sums() + width(), owners, operation);
    const bool has_before = sum_parts(part, of_items[owners - 1]);
    sum_prefixes_of_all<Inclusive>(count, of_items, has_before);
    stdpar::synchronize();
    return has_before;
  }

  // Tells the groups behind the sum of this part, and finds the one of those before it. False if
  // nothing precedes it.
  bool sum_parts(std::size_t part, const Type &sum) const {
    if (part == 0) {
      if (lane() == 0 && first_sum != nullptr)
        ::new (static_cast<void *>(before())) Type(*first_sum);
      stdpar::synchronize();
      if (lane() == 0)
        parts.publish(0, first_sum != nullptr ? static_cast<Type>(operation(*before(), sum)) : sum,
                      sum_with_all_before);
      return first_sum != nullptr;
    }
    if (lane() == 0)
      parts.publish(part, sum, own_sum);
    sum_before(part);
    if (lane() == 0)
      parts.publish(part, operation(*before(), sum), sum_with_all_before);
    return true;
  }
};

// The host's side. `bytes`: of a value; `elements`: of a work-item, each of which has `item_bytes`
// bytes of the group's memory. `memory` lies in the kernel's block. `first` is null if nothing
// precedes the values.
SINTER_STDPAR_ONCE bool run_scan(const bound_kernel &kernel, scan_memory &memory, std::uint32_t group,
                                 std::size_t size, std::size_t bytes, std::size_t alignment, std::size_t elements,
                                 std::size_t item_bytes, const void *first) {
  if (!stdpar::is_kept(kernel))
    return false;
  const std::size_t length = group * elements, count = (size + length - 1) / length;
  const scratch<std::uint64_t> known(count + 1);
  const scratch_bytes own_sums(count * bytes, alignment, false), sums(count * bytes, alignment, false);
  const scratch_bytes first_sum(bytes, alignment, true);
  if (first != nullptr)
    std::memcpy(first_sum.get(), first, bytes);
  memory = {known.get(), own_sums.get(), sums.get(), first != nullptr ? first_sum.get() : nullptr};
  return stdpar::start_setting(known.get(), count + 1, 0) &&
         stdpar::run(kernel, stdpar::groups_of(count, group, item_bytes));
}

} // namespace sinter::stdpar

#endif
