// Bessel functions: of the first and second kind, and modified ones of orders 0 and 1.
//
// Up to 25 the functions of the first kind come from their recurrence downwards (Miller's
// algorithm), normalised by J0 + 2 (J2 + J4 + ...) = 1, and those of the second kind from series of
// them (Abramowitz and Stegun, 9.1.88 and 9.1.89); beyond, both from Hankel's expansion (9.2.5 to
// 9.2.10). *Invariant:* the error is a few units in the last place of the largest value nearby.
// Those of float are computed in double.
#ifndef HIP_DETAIL_BESSEL_HPP
#define HIP_DETAIL_BESSEL_HPP

#include "attributes.hpp"

#include <math.h>

struct sinter_hip_bessel {
  double j0, j1, y0, y1, jn;
};

// For 0 < x < 25, or for any x up to n.
__host__ __device__ inline sinter_hip_bessel sinter_hip_bessel_down(int n, double x) {
  const double largest = n > x ? n : x;
  const int start = 2 * (static_cast<int>(largest + 12 + sqrt(60 * largest)) / 2);
  double above = 0, current = 1e-280, sum = 0, y0 = 0, y1 = 0, jn = 0, j1 = 0;
  for (int k = start; k > 0; --k) {
    // `current` is the value of order k.
    const double sign = k / 2 % 2 == 0 ? 1.0 : -1.0;
    if (k % 2 == 0) {
      sum += 2 * current;
      y0 += sign * current / (k / 2);
    } else if (k >= 3) {
      y1 += sign * current * k / (k / 2 * (k / 2 + 1.0));
    }
    jn = k == n ? current : jn;
    j1 = current;
    const double below = 2 * k / x * current - above;
    above = current, current = below;
    if (fabs(current) > 1e250) {
      const double scale = 1e-250;
      above *= scale, current *= scale, sum *= scale, y0 *= scale, y1 *= scale, jn *= scale, j1 *= scale;
    }
  }
  sum += current;
  constexpr double pi = 3.14159265358979323846, gamma = 0.57721566490153286061;
  sinter_hip_bessel r;
  r.j0 = current / sum, r.j1 = j1 / sum, r.jn = n == 0 ? r.j0 : jn / sum;
  r.y0 = 2 / pi * (log(x / 2) + gamma) * r.j0 - 4 / pi * (y0 / sum);
  r.y1 = 2 / pi * ((log(x / 2) + gamma - 1) * r.j1 - r.j0 / x - y1 / sum);
  return r;
}

// Order 0 or 1 for x of 25 and more: the functions of the first and the second kind.
__host__ __device__ inline void sinter_hip_bessel_far(int order, double x, double *j, double *y) {
  double p = 1, q = 0, term = 1;
  for (int k = 1; k <= 24; ++k) {
    const double odd = 2 * k - 1;
    term *= (4.0 * order * order - odd * odd) / (8 * x * k);
    const double sign = k / 2 % 2 == 0 ? 1.0 : -1.0;
    if (k % 2 == 1)
      q += sign * term;
    else
      p += sign * term;
  }
  // Of x - pi / 4, and of x - 3 pi / 4.
  const double s = sin(x), c = cos(x), root = sqrt(1 / (3.14159265358979323846 * x));
  const double cosine = order == 0 ? c + s : s - c, sine = order == 0 ? s - c : -(s + c);
  *j = root * (p * cosine - q * sine);
  *y = root * (p * sine + q * cosine);
}

__host__ __device__ inline double sinter_hip_first_kind(int n, double x) {
  const double size = fabs(x);
  const bool is_negative = (x < 0 && n % 2 != 0) != (n < 0 && n % 2 != 0);
  n = n < 0 ? -n : n;
  if (!(size < HUGE_VAL))
    return x != x ? x : 0;
  double result;
  if (size == 0) {
    result = n == 0 ? 1 : 0;
  } else if (size < 25 || n > size) {
    result = sinter_hip_bessel_down(n, size).jn;
  } else {
    double before, y;
    sinter_hip_bessel_far(0, size, &before, &y);
    sinter_hip_bessel_far(1, size, &result, &y);
    for (int k = 1; k < n; ++k) {
      const double next = 2 * k / size * result - before;
      before = result, result = next;
    }
    result = n == 0 ? before : result;
  }
  return is_negative ? -result : result;
}

__host__ __device__ inline double sinter_hip_second_kind(int n, double x) {
  const bool is_negative = n < 0 && n % 2 != 0;
  n = n < 0 ? -n : n;
  if (!(x > 0))
    return x == 0 ? -HUGE_VAL : static_cast<double>(NAN);
  if (!(x < HUGE_VAL))
    return 0;
  double before, result;
  if (x < 25) {
    const sinter_hip_bessel all = sinter_hip_bessel_down(1, x);
    before = all.y0, result = all.y1;
  } else {
    double j;
    sinter_hip_bessel_far(0, x, &j, &before);
    sinter_hip_bessel_far(1, x, &j, &result);
  }
  for (int k = 1; k < n && result > -HUGE_VAL; ++k) {
    const double next = 2 * k / x * result - before;
    before = result, result = next;
  }
  result = n == 0 ? before : result;
  return is_negative ? -result : result;
}

// The series has no negative terms; far away the first terms of the expansion decrease.
__host__ __device__ inline double sinter_hip_modified(int order, double x) {
  const double size = fabs(x);
  double sum = 1, term = 1, result;
  if (size < 20) {
    const double square = size * size / 4;
    for (int k = 1; k <= 60; ++k)
      sum += term *= square / (k * (k + order));
    result = order == 0 ? sum : size / 2 * sum;
  } else {
    for (int k = 1; k <= 24; ++k) {
      const double odd = 2 * k - 1;
      sum += term *= -(4.0 * order * order - odd * odd) / (8 * size * k);
    }
    const double root = exp(size / 2);
    result = root * (sum / sqrt(6.28318530717958647693 * size)) * root;
  }
  return x < 0 && order == 1 ? -result : result;
}

// The C library's names, as overloads for devices.
#define SINTER_HIP_BESSEL(name, call)                                                                                \
  SINTER_HIP_DEVICE double name(double x) { return call; }                                                           \
  SINTER_HIP_DEVICE float name##f(float x) { return static_cast<float>(call); }
#define SINTER_HIP_BESSEL_N(name, call)                                                                              \
  SINTER_HIP_DEVICE double name(int n, double x) { return call; }                                                    \
  SINTER_HIP_DEVICE float name##f(int n, float x) { return static_cast<float>(call); }
SINTER_HIP_BESSEL(j0, sinter_hip_first_kind(0, x))
SINTER_HIP_BESSEL(j1, sinter_hip_first_kind(1, x))
SINTER_HIP_BESSEL_N(jn, sinter_hip_first_kind(n, x))
SINTER_HIP_BESSEL(y0, sinter_hip_second_kind(0, x))
SINTER_HIP_BESSEL(y1, sinter_hip_second_kind(1, x))
SINTER_HIP_BESSEL_N(yn, sinter_hip_second_kind(n, x))
#undef SINTER_HIP_BESSEL_N
#undef SINTER_HIP_BESSEL
SINTER_HIP_BOTH double cyl_bessel_i0(double x) { return sinter_hip_modified(0, x); }
SINTER_HIP_BOTH double cyl_bessel_i1(double x) { return sinter_hip_modified(1, x); }
SINTER_HIP_BOTH float cyl_bessel_i0f(float x) { return static_cast<float>(sinter_hip_modified(0, x)); }
SINTER_HIP_BOTH float cyl_bessel_i1f(float x) { return static_cast<float>(sinter_hip_modified(1, x)); }

#endif
