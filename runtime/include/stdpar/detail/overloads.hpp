// The overloads for policies that permit parallel execution.
//
// In: calls whose iterators, callables and values a device can take. All other calls find the
// overloads of the standard library. A policy is taken by value: a reference to const would lose
// against `Policy &&` for a variable that is not const.
#ifndef SINTER_STDPAR_OVERLOADS_HPP
#define SINTER_STDPAR_OVERLOADS_HPP

#include "algorithm_call.hpp"
#include "compact.hpp"
#include "loop.hpp"
#include "merge.hpp"
#include "partition.hpp"
#include "predicates.hpp"
#include "reduce.hpp"
#include "scan.hpp"
#include "search.hpp"
#include "select.hpp"
#include "sets.hpp"
#include "sort.hpp"
#include "traits.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

namespace sinter::stdpar {

template <class Iterator> inline std::size_t count_of(const Iterator &first, const Iterator &last) {
  return static_cast<std::size_t>(last - first);
}
template <class Iterator> inline Iterator advanced(const Iterator &first, std::size_t count) {
  return first + static_cast<difference_of<Iterator>>(count);
}

// The call of an algorithm with this policy. `par` permits callables that take locks.
template <class Policy> struct call_with : algorithm_call {
  call_with() noexcept
      : algorithm_call(std::is_same_v<Policy, std::execution::parallel_policy> ? SINTER_STDPAR_PROGRESS : 0) {}
};

// Runs the standard library's algorithm, from which no exception may escape.
template <class Work> inline auto on_host(Work work) noexcept { return work(); }

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

} // namespace sinter::stdpar

#define SINTER_STDPAR_POLICY parallel_unsequenced_policy
#include "for_one_policy.inc"
#undef SINTER_STDPAR_POLICY
#define SINTER_STDPAR_POLICY parallel_policy
#include "for_one_policy.inc"
#undef SINTER_STDPAR_POLICY

#endif
