// Predicates that the algorithms make of values and of predicates of their callers.
//
// In: what a caller passed. Out: predicates of an element, or of the index of one.
#ifndef SINTER_STDPAR_PREDICATES_HPP
#define SINTER_STDPAR_PREDICATES_HPP

#include "traits.hpp"

namespace sinter::stdpar {

template <class Type> struct equals {
  Type wanted;

  template <class Value> bool operator()(Value &&value) const { return static_cast<bool>(value == wanted); }
};

template <class Predicate> struct negated {
  Predicate predicate;

  template <class Value> bool operator()(Value &&value) const {
    return !stdpar::call(predicate, std::forward<Value>(value));
  }
};

// True where a copy of the wanted elements begins.
template <class Iterator, class Wanted, class Predicate> struct begins_here {
  Iterator range;
  Wanted wanted;
  std::size_t length;
  Predicate predicate;

  bool operator()(std::size_t index) const {
    for (std::size_t n = 0; n != length; ++n)
      if (!stdpar::call(predicate, stdpar::at(range, index + n), stdpar::at(wanted, n)))
        return false;
    return true;
  }
};

template <class Iterator, class Wanted, class Predicate>
inline auto begins_in(const Iterator &first, const Wanted &wanted, std::size_t length, Predicate predicate) {
  using begins = begins_here<plain_of<Iterator>, plain_of<Wanted>, Predicate>;
  return begins{stdpar::plain(first), stdpar::plain(wanted), length, predicate};
}

// True where the first `length` elements of a run of wanted ones begin. The run is not looked at
// again from its other elements.
template <class Iterator, class Type, class Predicate> struct run_begins_here {
  Iterator range;
  std::size_t length;
  Type wanted;
  Predicate predicate;

  bool is_wanted(std::size_t index) const {
    return static_cast<bool>(stdpar::call(predicate, stdpar::at(range, index), wanted));
  }
  bool operator()(std::size_t index) const {
    if (index != 0 && is_wanted(index - 1))
      return false;
    for (std::size_t n = 0; n != length; ++n)
      if (!is_wanted(index + n))
        return false;
    return true;
  }
};

} // namespace sinter::stdpar

#endif
