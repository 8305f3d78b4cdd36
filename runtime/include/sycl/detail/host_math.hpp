// What host code computes where device code calls a builtin that the C library does not have: code that the builtins
// share, on top of the C library. Where a function is not defined here, it is SYCL's of this name.
#ifndef SYCL_DETAIL_HOST_MATH_HPP
#define SYCL_DETAIL_HOST_MATH_HPP

#include "c_math.hpp"

namespace sycl::detail::host_code {

using namespace sycl;

template <class T> inline T rsqrt(T x) { return T(1) / sqrt(x); }
template <class T> inline T recip(T x) { return T(1) / x; }
template <class T> inline T divide(T x, T y) { return x / y; }
template <class T> inline T frexp(T x, int *exponent) { return static_cast<T>(__builtin_frexp(x, exponent)); }

#include "derived_math.hpp"

#include "derived_half_turns.hpp"
#include "derived_powers.hpp"

} // namespace sycl::detail::host_code

#endif
