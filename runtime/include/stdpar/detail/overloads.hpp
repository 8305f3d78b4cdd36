// The overloads for policies that permit parallel execution.
//
// In: calls whose iterators, callables and values a device can take. All other calls find the
// overloads of the standard library. A policy is taken by value: a reference to const would lose
// against `Policy &&` for a variable that is not const.
#ifndef SINTER_STDPAR_OVERLOADS_HPP
#define SINTER_STDPAR_OVERLOADS_HPP

#include "algorithm_call.hpp"
#include "bodies.hpp"
#include "compact.hpp"
#include "extremes.hpp"
#include "loop.hpp"
#include "merge.hpp"
#include "partition.hpp"
#include "partners.hpp"
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
// The end of `count` elements from `first` on, where a negative number stands for none. There is no
// branch around a call for none, so that its wait can be left to what comes next in loops too.
template <class Iterator, class Size> inline Iterator end_of(const Iterator &first, const Size &count) {
  return stdpar::advanced(first, count > 0 ? static_cast<std::size_t>(count) : 0);
}

// The call of an algorithm with this policy.
template <class Policy> struct call_with : algorithm_call {
  call_with() noexcept : algorithm_call(policy_needs_v<Policy>) {}
};

// Runs the standard library's algorithm, from which no exception may escape. It is seldom needed,
// so the library's functions are called: copies of them in each caller take longest to compile. It
// gets copies of its arguments: while nobody has their addresses, no wait stands before them.
template <class Work>
[[clang::minsize]] [[gnu::noinline]] inline auto on_host([[clang::noescape]] Work &&work) noexcept {
  return work();
}
#define SINTER_STDPAR_ON_HOST(...)                                                                                    \
  sinter::stdpar::on_host([=]() __attribute__((minsize)) mutable { return __VA_ARGS__; })

} // namespace sinter::stdpar

#define SINTER_STDPAR_POLICY parallel_unsequenced_policy
#include "for_one_policy.inc"
#undef SINTER_STDPAR_POLICY
#define SINTER_STDPAR_POLICY parallel_policy
#include "for_one_policy.inc"
#undef SINTER_STDPAR_POLICY

#endif
