// The smallest and the largest elements.
//
// In: a range, of which there is one element at least, and an order. Out: indices. Of equivalent
// elements the first is the smallest one and the first, or for both together the last, the largest.
#ifndef SINTER_STDPAR_EXTREMES_HPP
#define SINTER_STDPAR_EXTREMES_HPP

#include "digits.hpp"
#include "reduce.hpp"
#include "traits.hpp"

#include <cstddef>

namespace sinter::stdpar {

// The smallest and the largest element, by their indices.
struct extremes {
  std::size_t smallest;
  std::size_t largest;
};

template <class Iterator, class Compare> struct extremes_of {
  Iterator range;
  Compare compare;

  // The first of the smallest elements and the last of the largest ones.
  extremes operator()(const extremes &one, const extremes &other) const {
    return {is_behind(one.smallest, other.smallest) ? smaller(other.smallest, one.smallest)
                                                    : smaller(one.smallest, other.smallest),
            is_behind(one.largest, other.largest) ? larger(other.largest, one.largest)
                                                  : larger(one.largest, other.largest)};
  }
  static bool is_behind(std::size_t one, std::size_t other) { return one > other; }
  std::size_t smaller(std::size_t left, std::size_t right) const { return is_less(right, left) ? right : left; }
  std::size_t larger(std::size_t left, std::size_t right) const { return is_less(right, left) ? left : right; }
  bool is_less(std::size_t one, std::size_t other) const {
    return static_cast<bool>(stdpar::call(compare, stdpar::at(range, one), stdpar::at(range, other)));
  }
};

struct extremes_at {
  extremes operator()(std::size_t index) const { return {index, index}; }
};
template <class Iterator, class Compare> inline auto extremes_in(const Iterator &first, Compare compare) {
  return extremes_of<plain_of<Iterator>, Compare>{stdpar::plain(first), compare};
}

struct same_index {
  std::size_t operator()(std::size_t index) const { return index; }
};

// The index of the smallest or the largest one of two elements. An order may depend on where they
// lie.
template <bool Smallest, class Iterator, class Compare> struct best_by_index {
  Iterator range;
  Compare compare;

  std::size_t operator()(std::size_t one, std::size_t other) const {
    const std::size_t left = one < other ? one : other, right = one < other ? other : one;
    const std::size_t less = Smallest ? right : left, greater = Smallest ? left : right;
    return stdpar::call(compare, stdpar::at(range, less), stdpar::at(range, greater)) ? right : left;
  }
};

// A copy of an element, and its index.
template <class Type> struct placed {
  Type value;
  std::size_t index;
};
template <class Iterator> struct places_in {
  Iterator range;
  placed<value_of<Iterator>> operator()(std::size_t index) const { return {stdpar::at(range, index), index}; }
};

// The same for numbers whose order is known: they are read once.
template <bool Smallest, class Type, class Compare> struct best_by_value {
  Compare compare;

  placed<Type> operator()(const placed<Type> &one, const placed<Type> &other) const {
    const bool are_swapped = other.index < one.index;
    const placed<Type> left = are_swapped ? other : one, right = are_swapped ? one : other;
    return is_better(right, left) ? right : left;
  }
  bool is_better(const placed<Type> &one, const placed<Type> &other) const {
    return Smallest ? compare(one.value, other.value) : compare(other.value, one.value);
  }
};

// Combines such elements in ascending order of their indices.
struct best_fold {
  template <class Type, class Value, class Operation>
  static Type of(const Value &value, const Operation &operation, std::size_t first, std::size_t last) {
    Type best = value(first);
    for (++first; first != last; ++first)
      if (const Type next = value(first); operation.is_better(next, best))
        best = next;
    return best;
  }
};

template <bool Smallest, class Iterator, class Compare>
inline bool find_best(const Iterator &first, std::size_t size, Compare compare, std::size_t &found) {
  using iterator = plain_of<Iterator>;
  using value = value_of<Iterator>;
  if constexpr (has_digits_v<value> && order_of<Compare, value> != order::none) {
    room<placed<value>> best;
    if (!stdpar::reduce_into<best_fold>(best.get(), size, places_in<iterator>{stdpar::plain(first)},
                                        best_by_value<Smallest, value, Compare>{compare}))
      return false;
    found = best.get()->index;
    return true;
  } else {
    return stdpar::reduce_into<ordered_fold>(&found, size, same_index{},
                                             best_by_index<Smallest, iterator, Compare>{stdpar::plain(first), compare});
  }
}

} // namespace sinter::stdpar

#endif
