// The distance of results from exact ones, in units in the last place.
//
// The unit is that of the exact result, as section 7.4 of the OpenCL 3.0 specification defines it.
// *Invariant:* a distance is infinite if one number is NaN and the other is not.
#ifndef NUMERICS_ERRORS_HPP
#define NUMERICS_ERRORS_HPP

#include "arguments.hpp"
#include "reference.hpp"

#include <algorithm>
#include <thread>

namespace numerics {

constexpr double no_bound = std::numeric_limits<double>::infinity();

// The type of references.
template <class T> using wider = std::conditional_t<std::is_same_v<T, double>, long double, double>;

template <class W, class T> W widen(T x) {
  if constexpr (sizeof(T) == 2)
    return W(static_cast<float>(x));
  else
    return W(x);
}

// The exponent of a finite number, as frexp gives it.
inline int exponent_of(double x) { return x == 0 ? -4000 : std::ilogb(x) + 1; }
inline int exponent_of(long double x) { return x == 0 ? -40000 : std::ilogb(x) + 1; }
inline int exponent_of(quad x) { return x == 0 ? -40000 : ilogbf128(x) + 1; }

// The largest number below 1.
template <class T, class W> W below_one() { return 1 - W(std::ldexp(1.0, -layout<T>::digits)); }

// The neighbour of x in the direction of y, of a type that the C library does not have.
template <class T, class W> W neighbour(W x, W y) {
  using namespace reference;
  if (is_nan(x) || is_nan(y) || x == y)
    return is_nan(x) ? x : y;
  const W largest = ldexp(below_one<T, W>(), 3 - layout<T>::lowest), sign = x < y ? W(1) : W(-1);
  if (is_infinite(x))
    return copysign(largest, x);
  // Below a power of 2 the numbers are twice as close.
  int exponent = x == 0 ? layout<T>::lowest : exponent_of(x);
  if (fabs(x) == ldexp(W(1), exponent - 1) && (x > 0) != (y > x))
    --exponent;
  const int place = std::max(exponent, layout<T>::lowest) - layout<T>::digits;
  const W next = x + sign * ldexp(W(1), place);
  return fabs(next) > largest ? copysign(W(no_bound), next) : next == 0 ? copysign(W(0), x) : next;
}

// Also of a zero.
template <class W> bool is_negative(W x) { return reference::copysign(W(1), x) < 0; }

// Infinite also for zeros of different sign, unless the function may return either.
template <class T, class W> double distance(T found, W exact, bool has_signed_zeros) {
  using reference::is_infinite, reference::is_nan;
  const W value = widen<W>(found), infinity = W(no_bound);
  if (is_nan(exact) || is_nan(value))
    return is_nan(exact) && is_nan(value) ? 0 : no_bound;
  if (value == exact)
    return exact == 0 && has_signed_zeros && is_negative(value) != is_negative(exact) ? no_bound : 0;
  const int highest = 3 - layout<T>::lowest;
  // Numbers that overflow count as the first number beyond the range of T.
  const W beyond = reference::ldexp(W(1), highest);
  if (is_infinite(exact))
    return no_bound;
  const W finite = value == infinity ? beyond : value == -infinity ? -beyond : value;
  // A result that overflows may be infinite.
  if (is_infinite(value) && (exact > 0) == (value > 0) && reference::fabs(exact) >= beyond)
    return 0;
  const int lowest = std::max(exponent_of(exact), layout<T>::lowest) - layout<T>::digits;
  return double(reference::fabs(reference::ldexp(finite - exact, -lowest)));
}

// A device without subnormal f32 numbers may replace them, and results near them, by zero.
template <class T, class W> bool is_flushed(T found, W exact) {
  return layout<T>::lowest == -125 && widen<W>(found) == 0 &&
         reference::fabs(exact) < reference::ldexp(W(1), layout<T>::lowest - 1);
}

template <class T> T flushed(T number) {
  const double size = std::fabs(widen<double>(number));
  const bool is_subnormal = size != 0 && size < std::ldexp(1.0, layout<T>::lowest - 1);
  return is_subnormal ? T(std::copysign(0.0, widen<double>(number))) : number;
}

// The arguments as such a device may take them.
template <class T> point<T> flushed(const point<T> &at) {
  point<T> result = at;
  result.x = flushed(at.x), result.y = flushed(at.y), result.z = flushed(at.z);
  return result;
}

// The largest error of a function.
template <class T> struct worst {
  double ulps = -1;
  point<T> at{};
  T found{};
  std::uint64_t tried = 0, flushed = 0, beyond = 0;

  void add(double error, double bound, const point<T> &arguments, T result) {
    beyond += error > bound;
    if (error > ulps) {
      ulps = error;
      at = arguments;
      found = result;
    }
  }
  void add(const worst &other) {
    tried += other.tried, flushed += other.flushed, beyond += other.beyond;
    if (other.ulps > ulps) {
      ulps = other.ulps;
      at = other.at;
      found = other.found;
    }
  }
};

// True if the result is the exact one, rounded: most are, and need no distance.
template <class T, class W> bool is_rounded(T found, W exact) {
  if constexpr (sizeof(T) == 2)
    return widen<W>(found) == exact && exact != 0;
  else
    return found == static_cast<T>(exact) && found - found == 0 && exact != 0;
}

// The rules of one function.
struct rules {
  // The largest error. Half a unit is that of a correctly rounded function.
  double bound;
  bool has_signed_zeros, may_flush;
};

// Compares `count` results with references on all cores.
template <class T, class Reference>
worst<T> compare(const recipe<T> &arguments, std::uint64_t first, const std::vector<T> &found, std::size_t count,
                 const rules &allowed, Reference reference) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<worst<T>> parts(workers);
  std::vector<std::thread> threads;
  for (std::size_t worker = 0; worker < workers; ++worker)
    threads.emplace_back([&, worker] {
      worst<T> mine;
      for (std::size_t i = worker * count / workers; i < (worker + 1) * count / workers; ++i) {
        const point<T> at = arguments.at(first + i);
        const auto exact = reference(at);
        if (is_rounded(found[i], exact)) {
          if (mine.ulps < 0)
            mine.add(0, allowed.bound, at, found[i]);
          continue;
        }
        const double ulps = distance(found[i], exact, allowed.has_signed_zeros);
        const auto is_of_zeros = [&] {
          const auto of_zeros = reference(flushed(at));
          return distance(found[i], of_zeros, false) <= allowed.bound || is_flushed(found[i], of_zeros);
        };
        if (allowed.may_flush && ulps > 0.5 && is_flushed(found[i], exact))
          ++mine.flushed;
        else if (allowed.may_flush && layout<T>::lowest == -125 && ulps > allowed.bound && is_of_zeros())
          ++mine.flushed;
        else
          mine.add(ulps, allowed.bound, at, found[i]);
      }
      parts[worker] = mine;
    });
  worst<T> all;
  for (std::size_t worker = 0; worker < workers; ++worker) {
    threads[worker].join();
    all.add(parts[worker]);
  }
  all.tried = count;
  return all;
}

} // namespace numerics

#endif
