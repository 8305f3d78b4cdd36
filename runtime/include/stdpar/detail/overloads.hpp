// The overloads for policies that permit parallel execution.
//
// In: calls whose iterators, callables and values a device can take. All other calls find the
// overloads of the standard library. A policy is taken by value: a reference to const would lose
// against `Policy &&` for a variable that is not const.
#ifndef SINTER_STDPAR_OVERLOADS_HPP
#define SINTER_STDPAR_OVERLOADS_HPP

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

  extremes operator()(const extremes &left, const extremes &right) const {
    return {stdpar::call(compare, stdpar::at(range, right.smallest), stdpar::at(range, left.smallest)) ? right.smallest
                                                                                                       : left.smallest,
            stdpar::call(compare, stdpar::at(range, right.largest), stdpar::at(range, left.largest)) ? left.largest
                                                                                                     : right.largest};
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
