// Functions of an index that the algorithms make of iterators and callables.
//
// In: iterators, values and callables. Out: functions for loops, predicates and values of elements.
// Each is made in one place only: the type of a lambda is that of a kernel, and a kernel of its own
// for each policy and each algorithm would be compiled for nothing.
#ifndef SINTER_STDPAR_BODIES_HPP
#define SINTER_STDPAR_BODIES_HPP

#include "traits.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace sinter::stdpar {

// Calls a function with each element.
template <class Iterator, class Function> inline auto calls_with(const Iterator &first, Function f) {
  return [first = stdpar::plain(first), f](std::size_t index) { stdpar::call(f, stdpar::at(first, index)); };
}

// Stores a value, or what a function returns, in each element.
template <class Iterator, class Type> inline auto stores(const Iterator &first, const Type &value) {
  return [first = stdpar::plain(first), value](std::size_t index) { stdpar::at(first, index) = value; };
}
template <class Iterator, class Generator> inline auto stores_results(const Iterator &first, Generator f) {
  return [first = stdpar::plain(first), f](std::size_t index) { stdpar::at(first, index) = stdpar::call(f); };
}

// True if a result may wait in a register until it is stored: it is small, and an assignment takes
// its bytes or converts a number.
template <class Result, class Output> constexpr bool may_wait() {
  using value = std::decay_t<Result>;
  if constexpr (std::is_void_v<Result>)
    return false;
  else if constexpr (std::is_arithmetic_v<value> && std::is_arithmetic_v<value_of<Output>>)
    return std::is_lvalue_reference_v<reference_of<Output>>;
  else
    return std::is_same_v<value, value_of<Output>> && std::is_lvalue_reference_v<reference_of<Output>> &&
           std::is_trivial_v<value> && std::is_trivially_assignable_v<value &, Result> &&
           std::is_trivially_assignable_v<value &, const value &> && sizeof(value) <= 16;
}

// Ways to pass on a result, which may be a reference to a temporary object.
template <class Value> struct keeps_result {
  template <class Result> Value operator()(Result &&result) const { return static_cast<Result &&>(result); }
};
template <class Reference> struct stores_result {
  Reference &&to;
  template <class Result> void operator()(Result &&result) const {
    static_cast<Reference &&>(to) = static_cast<Result &&>(result);
  }
};
template <class Result> struct of_type {
  using type = Result;
};
struct types_result {
  template <class Result> of_type<Result> operator()(Result &&) const { return {}; }
};

// Stores what a function of an index passes on.
template <class Output, class Function> struct stores_results_of {
  Output out;
  Function f;

  using passed = typename std::invoke_result_t<const Function &, std::size_t, types_result>::type;
  static constexpr bool has_results = stdpar::may_wait<passed, Output>();

  void operator()(std::size_t index) const {
    f(index, stores_result<reference_of<Output>>{stdpar::at(out, index)});
  }
  auto result(std::size_t index) const { return f(index, keeps_result<std::decay_t<passed>>()); }
  template <class Result> void store(std::size_t index, const Result &result) const {
    stdpar::at(out, index) = result;
  }
};
template <class Output, class Function> inline auto stores_of(const Output &out, const Function &f) {
  return stores_results_of<plain_of<Output>, Function>{stdpar::plain(out), f};
}

// Copies or moves elements.
template <class Iterator, class Output> inline auto copies(const Iterator &first, const Output &out) {
  return stdpar::stores_of(out, [first = stdpar::plain(first)](std::size_t index, auto pass) {
    return pass(stdpar::at(first, index));
  });
}
template <class Iterator, class Output> inline auto moves(const Iterator &first, const Output &out) {
  return stdpar::stores_of(out, [first = stdpar::plain(first)](std::size_t index, auto pass) {
    return pass(std::move(stdpar::at(first, index)));
  });
}
// Copies the element of an index to a place.
template <class Iterator, class Output> inline auto copies_to_place(const Iterator &first, const Output &out) {
  return [first = stdpar::plain(first), out = stdpar::plain(out)](std::size_t index, std::size_t place) {
    stdpar::at(out, place) = stdpar::at(first, index);
  };
}
// Copies the last element first, or beginning at element `front`.
template <class Iterator, class Output>
inline auto copies_reversed(const Iterator &first, const Output &out, std::size_t size) {
  return [first = stdpar::plain(first), out = stdpar::plain(out), size](std::size_t index) {
    stdpar::at(out, index) = stdpar::at(first, size - 1 - index);
  };
}
template <class Iterator, class Output>
inline auto copies_rotated(const Iterator &first, const Output &out, std::size_t front, std::size_t size) {
  return [first = stdpar::plain(first), out = stdpar::plain(out), front, back = size - front](std::size_t index) {
    stdpar::at(out, index) = stdpar::at(first, index < back ? index + front : index - back);
  };
}

// Stores what a function makes of each element, or of those of two ranges.
template <class Iterator, class Output, class Function>
inline auto transforms(const Iterator &first, const Output &out, Function f) {
  return stdpar::stores_of(out, [first = stdpar::plain(first), f](std::size_t index, auto pass) {
    return pass(stdpar::call(f, stdpar::at(first, index)));
  });
}
template <class Iterator, class Other, class Output, class Function>
inline auto transforms_two(const Iterator &first, const Other &other, const Output &out, Function f) {
  return stdpar::stores_of(
      out, [first = stdpar::plain(first), other = stdpar::plain(other), f](std::size_t index, auto pass) {
        return pass(stdpar::call(f, stdpar::at(first, index), stdpar::at(other, index)));
      });
}
template <class Iterator, class Output, class Operation>
inline auto differences(const Iterator &first, const Output &out, Operation operation) {
  return [first = stdpar::plain(first), out = stdpar::plain(out), operation](std::size_t index) {
    if (index == 0)
      stdpar::at(out, index) = stdpar::at(first, index);
    else
      stdpar::at(out, index) = stdpar::call(operation, stdpar::at(first, index), stdpar::at(first, index - 1));
  };
}

// Replaces the elements that satisfy a predicate, in place or in a copy.
template <class Iterator, class Predicate, class Type>
inline auto replaces(const Iterator &first, Predicate predicate, const Type &value) {
  return [first = stdpar::plain(first), predicate, value](std::size_t index) {
    if (stdpar::call(predicate, stdpar::at(first, index)))
      stdpar::at(first, index) = value;
  };
}
template <class Iterator, class Output, class Predicate, class Type>
inline auto copies_replacing(const Iterator &first, const Output &out, Predicate predicate, const Type &value) {
  return [first = stdpar::plain(first), out = stdpar::plain(out), predicate, value](std::size_t index) {
    if (stdpar::call(predicate, stdpar::at(first, index)))
      stdpar::at(out, index) = value;
    else
      stdpar::at(out, index) = stdpar::at(first, index);
  };
}

// Exchanges the elements of two ranges, or those at both ends of one.
template <class Iterator, class Other> inline auto exchanges(const Iterator &first, const Other &other) {
  return [first = stdpar::plain(first), other = stdpar::plain(other)](std::size_t index) {
    stdpar::exchange(first, index, other, index);
  };
}
template <class Iterator> inline auto exchanges_ends(const Iterator &first, std::size_t size) {
  return [first = stdpar::plain(first), size](std::size_t index) {
    stdpar::exchange(first, index, first, size - 1 - index);
  };
}

// Begins objects.
template <class Iterator, class Output> inline auto begins_copies(const Iterator &first, const Output &out) {
  return [first = stdpar::plain(first), out = stdpar::plain(out)](std::size_t index) {
    stdpar::begin_at(out, index, stdpar::at(first, index));
  };
}
template <class Iterator, class Output> inline auto begins_moved(const Iterator &first, const Output &out) {
  return [first = stdpar::plain(first), out = stdpar::plain(out)](std::size_t index) {
    stdpar::begin_at(out, index, std::move(stdpar::at(first, index)));
  };
}
template <class Iterator, class... Type> inline auto begins_with(const Iterator &first, const Type &...value) {
  return [first = stdpar::plain(first), value...](std::size_t index) { stdpar::begin_at(first, index, value...); };
}
template <class Iterator> inline auto begins_by_default(const Iterator &first) {
  return [first = stdpar::plain(first)](std::size_t index) {
    ::new (stdpar::address_of(first, index)) value_of<plain_of<Iterator>>;
  };
}
// Ends them.
template <class Iterator> inline auto ends(const Iterator &first) {
  return [first = stdpar::plain(first)](std::size_t index) {
    std::destroy_at(std::addressof(stdpar::at(first, index)));
  };
}

// True for the indices of elements that satisfy a predicate, or if not `Wanted`, for the others.
template <bool Wanted, class Iterator, class Predicate>
inline auto satisfies(const Iterator &first, Predicate predicate) {
  return [first = stdpar::plain(first), predicate](std::size_t index) {
    return static_cast<bool>(stdpar::call(predicate, stdpar::at(first, index))) == Wanted;
  };
}
// True where the elements of two ranges satisfy a predicate, or do not.
template <bool Wanted, class Iterator, class Other, class Predicate>
inline auto satisfies_with(const Iterator &first, const Other &other, Predicate predicate) {
  return [first = stdpar::plain(first), other = stdpar::plain(other), predicate](std::size_t index) {
    return static_cast<bool>(stdpar::call(predicate, stdpar::at(first, index), stdpar::at(other, index))) == Wanted;
  };
}

// True for the first of each group of equivalent elements.
template <class Iterator, class Predicate> inline auto begins_equals(const Iterator &first, Predicate predicate) {
  return [first = stdpar::plain(first), predicate](std::size_t index) {
    return index == 0 || !stdpar::call(predicate, stdpar::at(first, index - 1), stdpar::at(first, index));
  };
}
// True where an element satisfies a predicate after one that does not.
template <class Iterator, class Predicate> inline auto begins_again(const Iterator &first, Predicate predicate) {
  return [first = stdpar::plain(first), predicate](std::size_t index) {
    return !stdpar::call(predicate, stdpar::at(first, index)) &&
           static_cast<bool>(stdpar::call(predicate, stdpar::at(first, index + 1)));
  };
}
// True where an order tells the elements of two ranges apart.
template <class Iterator, class Other, class Compare>
inline auto differs(const Iterator &first, const Other &other, Compare compare) {
  return [first = stdpar::plain(first), other = stdpar::plain(other), compare](std::size_t index) {
    return stdpar::call(compare, stdpar::at(first, index), stdpar::at(other, index)) ||
           stdpar::call(compare, stdpar::at(other, index), stdpar::at(first, index));
  };
}
// True if element `index + 1` of a heap is above its parent.
template <class Iterator, class Compare> inline auto is_above_parent(const Iterator &first, Compare compare) {
  return [first = stdpar::plain(first), compare](std::size_t index) {
    return static_cast<bool>(stdpar::call(compare, stdpar::at(first, index / 2), stdpar::at(first, index + 1)));
  };
}
// True for elements that have an equal one among the wanted ones.
template <class Iterator, class Wanted, class Predicate>
inline auto is_one_of(const Iterator &first, const Wanted &wanted, std::size_t length, Predicate predicate) {
  return [first = stdpar::plain(first), wanted = stdpar::plain(wanted), length, predicate](std::size_t index) {
    for (std::size_t n = 0; n != length; ++n)
      if (stdpar::call(predicate, stdpar::at(first, index), stdpar::at(wanted, n)))
        return true;
    return false;
  };
}
// A predicate of indices that are counted from the end.
template <class Predicate> inline auto from_end(Predicate predicate, std::size_t greatest) {
  return [predicate, greatest](std::size_t index) { return predicate(greatest - index); };
}

// 1 for an element that satisfies a predicate, else 0.
template <class Count, class Iterator, class Predicate>
inline auto counts(const Iterator &first, Predicate predicate) {
  return [first = stdpar::plain(first), predicate](std::size_t index) -> Count {
    return static_cast<bool>(stdpar::call(predicate, stdpar::at(first, index))) ? 1 : 0;
  };
}
// The result of a function for an element, or of those of two ranges, as a value of a type.
template <class Type, class Iterator, class Function>
inline auto results_of(const Iterator &first, Function f) {
  return [first = stdpar::plain(first), f](std::size_t index) {
    return static_cast<Type>(stdpar::call(f, stdpar::at(first, index)));
  };
}
template <class Type, class Iterator, class Other, class Function>
inline auto results_of_two(const Iterator &first, const Other &other, Function f) {
  return [first = stdpar::plain(first), other = stdpar::plain(other), f](std::size_t index) {
    return static_cast<Type>(stdpar::call(f, stdpar::at(first, index), stdpar::at(other, index)));
  };
}
// The element itself.
struct unchanged {
  template <class Type> Type operator()(const Type &value) const { return value; }
};
// Stores a result.
template <class Type, class Output> inline auto stores_sum(const Output &out) {
  return [out = stdpar::plain(out)](std::size_t index, const Type &sum) { stdpar::at(out, index) = sum; };
}

} // namespace sinter::stdpar

#endif
