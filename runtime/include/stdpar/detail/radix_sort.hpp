// Sorting numbers by their digits.
//
// In: numbers in memory, in ascending or descending order. Out: the sorted numbers. Equal numbers
// keep their order, but a negative zero comes before a positive one. As in merge_sort.hpp, the
// memory holds all elements when a launch does not happen.
#ifndef SINTER_STDPAR_RADIX_SORT_HPP
#define SINTER_STDPAR_RADIX_SORT_HPP

#include "bodies.hpp"
#include "digits.hpp"
#include "group.hpp"
#include "launch.hpp"
#include "loop.hpp"
#include "tiles.hpp"

#include <cstdint>

namespace sinter::stdpar {

// One launch counts the digits of each part, a second one moves the elements.
template <class Bits> struct digits_kernel {
  digit_order<Bits> order;
  const aliased<Bits> *from;
  aliased<Bits> *to;
  tiles parts;
  unsigned shift;
  std::uint32_t *counts;
  // The place of the first element with each digit in each part; null in the first launch.
  const std::size_t *places;

  void run() const {
    if (places == nullptr)
      count(group_index());
    else
      place(group_index());
  }

  void count(std::size_t tile) const {
    std::uint32_t count[digit_values] = {};
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index)
      ++count[order.digit_of(from[index], shift)];
    for (std::size_t digit = 0; digit != digit_values; ++digit)
      counts[tile * digit_values + digit] = count[digit];
  }

  void place(std::size_t tile) const {
    std::size_t place[digit_values];
    for (std::size_t digit = 0; digit != digit_values; ++digit)
      place[digit] = places[tile * digit_values + digit];
    for (std::size_t index = parts.first(tile), last = parts.last(tile); index != last; ++index) {
      const Bits element = from[index];
      to[place[order.digit_of(element, shift)]++] = element;
    }
  }
};

// Turns the numbers of digits in each part into their places. False if all elements have the same
// digit, and thus their places already.
SINTER_STDPAR_ONCE bool place_of_digits(std::size_t parts, const std::uint32_t *counts, std::size_t size,
                                        std::size_t *places) {
  std::size_t place = 0;
  for (std::size_t digit = 0; digit != digit_values; ++digit) {
    const std::size_t first = place;
    for (std::size_t at = digit; at < parts * digit_values; at += digit_values) {
      places[at] = place;
      place += counts[at];
    }
    if (place - first == size)
      return false;
  }
  return true;
}

template <class Bits> inline bool copy_back(const aliased<Bits> *from, aliased<Bits> *to, std::size_t size) {
  return stdpar::loop(size, [from, to](std::size_t index) { to[index] = from[index]; });
}

// One work-item sorts a range that is one part.
template <class Bits> struct few_digits_kernel {
  digit_order<Bits> order;
  aliased<Bits> *numbers;
  aliased<Bits> *beside;
  std::size_t size;

  void run() const {
    std::uint32_t places[sizeof(Bits)][digit_values] = {};
    for (std::size_t index = 0; index != size; ++index)
      for (unsigned digit = 0; digit != sizeof(Bits); ++digit)
        ++places[digit][order.digit_of(numbers[index], digit * digit_bits)];
    aliased<Bits> *from = numbers, *to = beside;
    for (unsigned digit = 0; digit != sizeof(Bits); ++digit) {
      if (!place_of_digit(places[digit]))
        continue;
      move(from, to, digit * digit_bits, places[digit]);
      aliased<Bits> *const other = from;
      from = to, to = other;
    }
    if (from != numbers)
      for (std::size_t index = 0; index != size; ++index)
        numbers[index] = from[index];
  }

  // As place_of_digits, of one part and in the same memory.
  bool place_of_digit(std::uint32_t *counts) const {
    std::uint32_t place = 0, most = 0;
    for (std::size_t value = 0; value != digit_values; ++value) {
      const std::uint32_t count = counts[value];
      counts[value] = place;
      place += count;
      most = count > most ? count : most;
    }
    return most != size;
  }

  void move(const aliased<Bits> *from, aliased<Bits> *to, unsigned shift, std::uint32_t *places) const {
    for (std::size_t index = 0; index != size; ++index) {
      const Bits element = from[index];
      to[places[order.digit_of(element, shift)]++] = element;
    }
  }
};

template <class Bits> SINTER_STDPAR_ONCE bool radix_sort(void *range, std::size_t size, digit_order<Bits> order) {
  const tiles parts(size);
  if (parts.count() == 1) {
    const scratch<Bits> beside(size);
    const few_digits_kernel<Bits> kernel{order, static_cast<aliased<Bits> *>(range), beside.get(), size};
    return stdpar::run(stdpar::bound_to(kernel), stdpar::parts_of(1));
  }
  const scratch<Bits> beside(size);
  const scratch<std::uint32_t> counts(parts.count() * digit_values);
  const scratch<std::size_t> places(parts.count() * digit_values);
  aliased<Bits> *const numbers = static_cast<aliased<Bits> *>(range), *const other = beside.get();
  digits_kernel<Bits> kernel{order, numbers, other, parts, 0, counts.get(), nullptr};
  const bound_kernel bound = stdpar::bound_to(kernel);
  for (; kernel.shift != 8 * sizeof(Bits); kernel.shift += digit_bits) {
    kernel.places = nullptr;
    if (!stdpar::run(bound, stdpar::parts_of(parts.count())))
      return false;
    if (!place_of_digits(parts.count(), counts.get(), size, places.get()))
      continue;
    kernel.places = places.get();
    if (!stdpar::run(bound, stdpar::parts_of(parts.count())))
      return false;
    kernel.from = kernel.to;
    kernel.to = kernel.from == numbers ? other : numbers;
  }
  return kernel.from == numbers || stdpar::copy_back(beside.get(), numbers, size);
}

} // namespace sinter::stdpar

#endif
