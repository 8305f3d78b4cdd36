// Sorting numbers by their digits, by groups of work-items.
//
// In: as in radix_sort.hpp. Out: the sorted range. The digits of all places are counted at once;
// then each place is sorted in one pass over the elements, in which a group takes the next part,
// sorts it in its memory, and looks back at the parts before it for the places of its elements (A.
// Adinets, D. Merrill: Onesweep, 2022). Launches do not fail between the first and the last one in
// a way that loses elements: what cannot run on the device runs on the CPU.
#ifndef SINTER_STDPAR_RADIX_SORT_IN_GROUPS_HPP
#define SINTER_STDPAR_RADIX_SORT_IN_GROUPS_HPP

#include "digits.hpp"
#include "group.hpp"
#include "loop.hpp"
#include "scan_in_groups.hpp"
#include "tiles.hpp"
#include "traits.hpp"

#include <functional>

namespace sinter::stdpar {

// Work-items of a group, one at least for each digit, and of a sub-group.
inline constexpr std::uint32_t sort_group = 256;
inline constexpr unsigned sub_group = 32;
#define SINTER_STDPAR_SUB_GROUPS [[clang::annotate("sinter_required_sub_group_size", 32)]] [[clang::convergent]]

// Elements of a work-item.
template <class Type> inline constexpr std::size_t sort_elements = sizeof(Type) <= 4 ? 16 : 8;
// A number and its state share a word.
inline constexpr unsigned state_shift = 30;
inline constexpr std::size_t most_radix_sorted = (std::size_t(1) << state_shift) - 1;

template <class Type> inline constexpr std::size_t digit_places = 8 * sizeof(Type) / digit_bits;

inline unsigned add_in_group(unsigned *object) noexcept {
  return __acpp_sscp_atomic_fetch_add_u32(generic_space, relaxed, whole_group, object, 1);
}

// Adds the numbers of digits at all places to `counts`, which has a row for each place.
template <class Bits> struct count_all_digits_kernel {
  static constexpr std::size_t rows = digit_places<Bits>;
  // Loads that a work-item has under way.
  static constexpr std::size_t ahead = 4;

  digit_order<Bits> order;
  const aliased<Bits> *range;
  tiles parts;
  unsigned *counts;

  void count(unsigned *own, Bits value) const {
    for (std::size_t row = 0; row != rows; ++row)
      stdpar::add_in_group(own + row * digit_values + order.digit_of(value, static_cast<unsigned>(row) * digit_bits));
  }

  void run() const {
    unsigned *const own = group_memory<unsigned>();
    const std::size_t step = width(), part = group_index();
    for (std::size_t n = lane(); n < rows * digit_values; n += step)
      own[n] = 0;
    stdpar::synchronize();
    std::size_t index = parts.first(part) + lane();
    const std::size_t last = parts.last(part);
    for (; index + (ahead - 1) * step < last; index += ahead * step) {
      Bits values[ahead];
#pragma unroll
      for (std::size_t n = 0; n != ahead; ++n)
        values[n] = range[index + n * step];
#pragma unroll
      for (std::size_t n = 0; n != ahead; ++n)
        count(own, values[n]);
    }
    for (; index < last; index += step)
      count(own, range[index]);
    stdpar::synchronize();
    for (std::size_t n = lane(); n < rows * digit_values; n += step)
      if (own[n] != 0)
        stdpar::add(counts + n, own[n]);
  }
};

// Turns each row of counts into the places of the first element with each digit.
struct place_digit_rows_kernel {
  unsigned *counts;

  void run() const {
    unsigned *const sums = group_memory<unsigned>();
    unsigned *const row = counts + group_index() * digit_values;
    const bool is_digit = lane() < digit_values;
    if (is_digit)
      sums[lane()] = row[lane()];
    const unsigned *const prefixes =
        stdpar::combine_prefixes(sums, sums + width(), digit_values, std::plus<unsigned>());
    if (is_digit)
      row[lane()] = lane() == 0 ? 0 : prefixes[lane() - 1];
  }
};

// Sorts the elements by one digit.
template <class Bits> struct sort_digit_kernel {
  using value = Bits;
  static constexpr std::size_t own_elements = sort_elements<value>;
  static constexpr unsigned own_sum = 1u << state_shift, sum_with_all_before = 2u << state_shift;
  static constexpr unsigned number = own_sum - 1;
  static constexpr unsigned rank_bits = 16;

  digit_order<Bits> order;
  const aliased<Bits> *from;
  aliased<Bits> *to;
  std::size_t size;
  unsigned shift;
  // Places of the first element with each digit.
  const unsigned *starts;
  // The number of parts that groups have taken, a row of words before the states: those of the
  // digits in each part.
  unsigned *known;

  // The group's memory: elements; the numbers of digits by sub-group; by digit twice the sums of
  // the numbers, and the places of the elements; one number.
  value *elements() const { return group_memory<value>(); }
  unsigned *counts() const { return group_memory<unsigned>(width() * own_elements * sizeof(value)); }
  unsigned *sums() const { return counts() + width() / sub_group * digit_values; }
  unsigned *places() const { return sums() + 2 * digit_values; }
  static constexpr std::size_t bytes =
      sort_group * own_elements * sizeof(value) + (sort_group / sub_group + 3) * digit_values * sizeof(unsigned) + 64;

  unsigned digit(const value &element) const {
    return static_cast<unsigned>(order.digit_of(element, shift));
  }

  // Lanes of the sub-group with the same digit.
  SINTER_STDPAR_SUB_GROUPS static unsigned peers(unsigned digit) {
    unsigned same = ~0u;
    const unsigned own = 1u << __acpp_sscp_get_subgroup_local_id();
#pragma unroll
    for (unsigned bit = 0; bit != digit_bits; ++bit) {
      const bool is_set = (digit >> bit & 1) != 0;
      // An instruction of newer GPUs; a ballot takes longer.
      const unsigned set = __acpp_sscp_sub_group_reduce_u32(5, is_set ? own : 0);
      same &= is_set ? set : ~set;
    }
    return same;
  }

  // The number of elements of the sub-group before the own one with the same digit.
  SINTER_STDPAR_SUB_GROUPS static unsigned rank(unsigned *count_of_sub_group, unsigned digit) {
    const unsigned same = peers(digit);
    const unsigned before = same & ((1u << __acpp_sscp_get_subgroup_local_id()) - 1);
    const unsigned first = count_of_sub_group[digit];
    __acpp_sscp_sub_group_barrier(1, acquire_release);
    if (before == 0)
      count_of_sub_group[digit] = first + static_cast<unsigned>(__builtin_popcount(same));
    __acpp_sscp_sub_group_barrier(1, acquire_release);
    return first + static_cast<unsigned>(__builtin_popcount(before));
  }

  // Turns the numbers of a digit by sub-group into places among the part's elements with it.
  // Returns their sum.
  unsigned place_sub_groups(std::size_t digit) const {
    unsigned sum = 0;
    for (std::size_t at = digit, end = width() / sub_group * digit_values; at < end; at += digit_values) {
      const unsigned count = counts()[at];
      counts()[at] = sum;
      sum += count;
    }
    return sum;
  }

  void publish(std::size_t part, std::size_t digit, unsigned state) const {
    __acpp_sscp_atomic_store_i32(generic_space, relaxed, whole_device,
                                 reinterpret_cast<int *>(known + (part + 1) * digit_values + digit),
                                 static_cast<int>(state));
  }

  // The number of elements with a digit in all parts before.
  unsigned sum_before(std::size_t part, std::size_t digit) const {
    unsigned sum = 0;
    while (part != 0) {
      const unsigned state = static_cast<unsigned>(__acpp_sscp_atomic_load_i32(
          generic_space, relaxed, whole_device, reinterpret_cast<int *>(known + part * digit_values + digit)));
      if (state == 0)
        continue;
      sum += state & number;
      if ((state & sum_with_all_before) != 0)
        break;
      --part;
    }
    return sum;
  }

  std::size_t take_part() const {
    unsigned *const taken = places() + digit_values;
    if (lane() == 0)
      *taken = stdpar::add(known, 1);
    stdpar::synchronize();
    return *taken;
  }

  // Finds the places of the elements with the lane's digit, if it has one, and makes them known.
  void place_digits(std::size_t part) const {
    const std::size_t own = lane();
    const bool is_digit = own < digit_values;
    unsigned sum = 0;
    if (is_digit) {
      sums()[own] = sum = place_sub_groups(own);
      publish(part, own, part == 0 ? sum_with_all_before | sum : own_sum | sum);
    }
    const unsigned *const ends =
        stdpar::combine_prefixes(sums(), sums() + digit_values, digit_values, std::plus<unsigned>());
    if (!is_digit)
      return;
    const unsigned first = ends[own] - sum;
    const unsigned before = sum_before(part, own);
    if (part != 0)
      publish(part, own, sum_with_all_before | (before + sum));
    places()[own] = starts[own] + before - first;
    for (std::size_t at = own, end = width() / sub_group * digit_values; at < end; at += digit_values)
      counts()[at] += first;
  }

  SINTER_STDPAR_SUB_GROUPS void run() const {
    const std::size_t step = width(), length = step * own_elements;
    const unsigned group = __acpp_sscp_get_subgroup_id(), own = __acpp_sscp_get_subgroup_local_id();
    unsigned *const count = counts() + group * digit_values;
    for (std::size_t digit = own; digit < digit_values; digit += sub_group)
      count[digit] = 0;
    const std::size_t part = take_part(), first = part * length;
    const unsigned here = static_cast<unsigned>(size - first < length ? size - first : length);
    const aliased<Bits> *const source = from + first;
    value taken[own_elements];
    // The ranks, and above them the digits.
    unsigned ranks[own_elements];
    const unsigned at = group * sub_group * static_cast<unsigned>(own_elements) + own;
    // Without loops these stay in registers, and their loads are under way together. What fills a
    // short part has the last digit, and comes after all elements with it.
    if (here == length) {
#pragma unroll
      for (unsigned n = 0; n != own_elements; ++n)
        taken[n] = source[at + n * sub_group];
    } else {
#pragma unroll
      for (unsigned n = 0; n != own_elements; ++n)
        taken[n] = at + n * sub_group < here ? static_cast<value>(source[at + n * sub_group]) : order.last();
    }
#pragma unroll
    for (unsigned n = 0; n != own_elements; ++n) {
      const unsigned own_digit = digit(taken[n]);
      ranks[n] = rank(count, own_digit) | own_digit << rank_bits;
    }
    stdpar::synchronize();
    place_digits(part);
    stdpar::synchronize();
#pragma unroll
    for (unsigned n = 0; n != own_elements; ++n)
      elements()[count[ranks[n] >> rank_bits] + (ranks[n] & ((1u << rank_bits) - 1))] = taken[n];
    stdpar::synchronize();
    for (std::size_t index = lane(); index < here; index += step) {
      const value element = elements()[index];
      to[places()[digit(element)] + static_cast<unsigned>(index)] = element;
    }
  }
};

// True if the thread's device can sort `size` elements so.
inline bool sorts_digits_in_groups(std::size_t size) {
  return stdpar::group_size() >= sort_group && size <= most_radix_sorted &&
         sinter_stdpar_has_sub_groups(sub_group) != 0;
}

template <class Bits>
SINTER_STDPAR_ONCE bool radix_sort_in_groups(void *range, std::size_t size, digit_order<Bits> order) {
  constexpr std::size_t places = digit_places<Bits>, length = sort_group * sort_elements<Bits>;
  const std::size_t parts = (size + length - 1) / length;
  const std::size_t rows = places * digit_values, known = (parts + 1) * digit_values;
  const scratch<Bits> beside(size);
  const scratch<std::uint64_t> rows_of_all(rows / 2), known_of_all(known / 2);
  unsigned *const starts = reinterpret_cast<unsigned *>(rows_of_all.get());
  unsigned *const states = reinterpret_cast<unsigned *>(known_of_all.get());
  aliased<Bits> *const numbers = static_cast<aliased<Bits> *>(range), *const other = beside.get();
  const tiles counted(size, most_group_tiles, smallest_tile);
  const count_all_digits_kernel<Bits> counts{order, numbers, counted, starts};
  const place_digit_rows_kernel first_places{starts};
  sort_digit_kernel<Bits> sorts{order, numbers, other, size, 0, starts, states};
  const bound_kernel bound = stdpar::bound_to(sorts);
  if (!stdpar::is_kept(bound) || !stdpar::start_setting(rows_of_all.get(), rows / 2, 0) ||
      !stdpar::start(stdpar::bound_to(counts),
                     {counted.count() * sort_group, sort_group, rows * sizeof(unsigned)}) ||
      !stdpar::start(stdpar::bound_to(first_places), stdpar::groups_of(places, sort_group, 2 * sizeof(unsigned))))
    return false;
  for (unsigned place = 0; place != places; ++place) {
    sorts.shift = place * digit_bits, sorts.starts = starts + place * digit_values;
    const until end = place + 1 == places ? until::complete : until::started;
    if (!stdpar::start_setting(known_of_all.get(), known / 2, 0) ||
        !stdpar::launch(bound, {parts * sort_group, sort_group, sorts.bytes}, end))
      return false;
    sorts.from = sorts.to;
    sorts.to = sorts.from == numbers ? other : numbers;
  }
  return sorts.from == numbers || stdpar::copy_back(beside.get(), numbers, size);
}

} // namespace sinter::stdpar

#endif
