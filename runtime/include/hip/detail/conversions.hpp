// Conversions between numbers with a rounding mode, and bits of numbers.
//
// *Invariant:* they round once. Numbers that an integer type does not have become its nearest
// number, and NaN becomes 0.
#ifndef HIP_DETAIL_CONVERSIONS_HPP
#define HIP_DETAIL_CONVERSIONS_HPP

#include "../../sycl/detail/rounding.hpp"
#include "attributes.hpp"

#include <limits>
#include <math.h>

// To nearest, ties to even; down; up; towards zero.
static constexpr sycl::rounding_mode sinter_hip_rn = sycl::rounding_mode::rte;
static constexpr sycl::rounding_mode sinter_hip_rd = sycl::rounding_mode::rtn;
static constexpr sycl::rounding_mode sinter_hip_ru = sycl::rounding_mode::rtp;
static constexpr sycl::rounding_mode sinter_hip_rz = sycl::rounding_mode::rtz;

#define SINTER_HIP_WHOLE(mode, narrow, wide)                                                                         \
  SINTER_HIP_BOTH float sinter_hip_whole_##mode(float x) { return narrow(x); }                                       \
  SINTER_HIP_BOTH double sinter_hip_whole_##mode(double x) { return wide(x); }
SINTER_HIP_WHOLE(rn, rintf, rint)
SINTER_HIP_WHOLE(rd, floorf, floor)
SINTER_HIP_WHOLE(ru, ceilf, ceil)
SINTER_HIP_WHOLE(rz, , )
#undef SINTER_HIP_WHOLE

template <class To, class From> SINTER_HIP_BOTH To sinter_hip_integer(From x) {
  constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
  // One more than the largest number, which From may not have.
  constexpr From end = static_cast<From>(most / 2 + 1) * 2;
  if (!(x == x))
    return 0;
  return x >= end ? most : x <= static_cast<From>(least) ? least : static_cast<To>(x);
}

#define SINTER_HIP_MODES(Each, ...)                                                                                  \
  Each(__VA_ARGS__, rn) Each(__VA_ARGS__, rd) Each(__VA_ARGS__, ru) Each(__VA_ARGS__, rz)
#define SINTER_HIP_TO_INTEGER(name, from, to, mode)                                                                  \
  SINTER_HIP_BOTH to __##name##_##mode(from x) { return sinter_hip_integer<to>(sinter_hip_whole_##mode(x)); }
#define SINTER_HIP_TO_FRACTION(name, from, to, mode)                                                                 \
  SINTER_HIP_BOTH to __##name##_##mode(from x) { return sycl::detail::round_fraction<to, sinter_hip_##mode>(x); }
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, float2int, float, int)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, float2uint, float, unsigned)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, float2ll, float, long long)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, float2ull, float, unsigned long long)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, double2int, double, int)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, double2uint, double, unsigned)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, double2ll, double, long long)
SINTER_HIP_MODES(SINTER_HIP_TO_INTEGER, double2ull, double, unsigned long long)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, double2float, double, float)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, int2float, int, float)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, uint2float, unsigned, float)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, ll2float, long long, float)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, ull2float, unsigned long long, float)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, ll2double, long long, double)
SINTER_HIP_MODES(SINTER_HIP_TO_FRACTION, ull2double, unsigned long long, double)
SINTER_HIP_TO_FRACTION(int2double, int, double, rn)
SINTER_HIP_TO_FRACTION(uint2double, unsigned, double, rn)
#undef SINTER_HIP_TO_FRACTION
#undef SINTER_HIP_TO_INTEGER
#undef SINTER_HIP_MODES

SINTER_HIP_BOTH int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
SINTER_HIP_BOTH unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
SINTER_HIP_BOTH float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
SINTER_HIP_BOTH float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
SINTER_HIP_BOTH long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
SINTER_HIP_BOTH double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
SINTER_HIP_BOTH int __double2hiint(double x) { return static_cast<int>(__double_as_longlong(x) >> 32); }
SINTER_HIP_BOTH int __double2loint(double x) { return static_cast<int>(__double_as_longlong(x)); }
SINTER_HIP_BOTH double __hiloint2double(int high, int low) {
  return __longlong_as_double(static_cast<long long>(high) << 32 | static_cast<unsigned>(low));
}

#endif
