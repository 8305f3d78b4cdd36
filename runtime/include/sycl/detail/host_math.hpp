// Host versions of builtins that the C library lacks, or has with too large an error, in code that
// the builtins share, on top of the C library. Functions not defined here are SYCL's of the same
// name.
#ifndef SYCL_DETAIL_HOST_MATH_HPP
#define SYCL_DETAIL_HOST_MATH_HPP

#include "c_math.hpp"

namespace sycl::detail::host_code {

using namespace sycl;

template <class Type> inline Type rsqrt(Type x) { return Type(1) / sqrt(x); }
template <class Type> inline Type recip(Type x) { return Type(1) / x; }
template <class Type> inline Type divide(Type x, Type y) { return x / y; }
template <class Type> inline Type frexp(Type x, int *exponent) {
  return static_cast<Type>(__builtin_frexp(x, exponent));
}

#include "derived_math.hpp"

#include "derived_half_turns.hpp"
#include "derived_powers.hpp"
#include "derived_roots.hpp"

} // namespace sycl::detail::host_code

#endif
