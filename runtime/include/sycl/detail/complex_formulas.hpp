// Elementary functions of a complex number in float or double.
//
// Special values are those of Annex G of C. The inverse functions are W. Kahan's ("Branch Cuts for
// Complex Elementary Functions", 1987), which lose no digits by cancellation.
#ifndef SYCL_DETAIL_COMPLEX_FORMULAS_HPP
#define SYCL_DETAIL_COMPLEX_FORMULAS_HPP

#include "../math/math.hpp"
#include "../types/complex.hpp"

namespace sycl::detail::complex_formulas {

template <class Real> using number = ext::oneapi::experimental::complex<Real>;

// The functions here, not those that a complex argument would find.
namespace formulas = complex_formulas;

template <class Real> inline constexpr Real pi = static_cast<Real>(3.14159265358979323846);
template <class Real> inline constexpr Real infinity = std::numeric_limits<Real>::infinity();
template <class Real> inline constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
// Arguments from which on exp overflows are larger; there sinh is half of exp in every digit.
template <class Real> inline constexpr Real large_exponent = std::is_same_v<Real, float> ? 80 : 700;
// From here on tanh is 1 in every digit.
template <class Real> inline constexpr Real large_tanh = std::is_same_v<Real, float> ? 12 : 24;

// i z and -i z.
template <class Real> number<Real> turned(number<Real> z) { return {-z.imag(), z.real()}; }
template <class Real> number<Real> turned_back(number<Real> z) { return {z.imag(), -z.real()}; }

template <class Real> bool is_infinite(number<Real> z) { return sycl::isinf(z.real()) || sycl::isinf(z.imag()); }
template <class Real> bool is_special(number<Real> z) {
  return !sycl::isfinite(z.real()) || !sycl::isfinite(z.imag());
}

template <class Real> Real norm(number<Real> z) {
  return is_infinite(z) ? infinity<Real> : z.real() * z.real() + z.imag() * z.imag();
}
template <class Real> Real abs(number<Real> z) { return sycl::hypot(z.real(), z.imag()); }
template <class Real> Real arg(number<Real> z) { return sycl::atan2(z.imag(), z.real()); }

template <class Real> number<Real> proj(number<Real> z) {
  return is_infinite(z) ? number<Real>(infinity<Real>, sycl::copysign(Real(0), z.imag())) : z;
}

// The magnitude of a negative radius is not defined; nor is an infinite angle.
template <class Real> number<Real> polar(Real radius, Real angle) {
  if (angle == 0)
    return {radius, angle};
  return {radius * sycl::cos(angle), radius * sycl::sin(angle)};
}

// The logarithm of the magnitude: near 1 from its distance to 1.
template <class Real> Real log_abs(number<Real> z) {
  const Real x = sycl::fabs(z.real()), y = sycl::fabs(z.imag()), big = sycl::fmax(x, y), small = sycl::fmin(x, y);
  if (!is_special(z) && big > Real(0.5) && big < Real(2))
    return sycl::log1p((big - 1) * (big + 1) + small * small) / 2;
  return sycl::log(formulas::abs(z));
}
template <class Real> number<Real> log(number<Real> z) { return {log_abs(z), formulas::arg(z)}; }

template <class Real> number<Real> exp(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (y == 0)
    return {sycl::exp(x), y};
  if (sycl::isinf(x)) {
    if (x < 0)
      return sycl::isfinite(y) ? number<Real>(0 * sycl::cos(y), 0 * sycl::sin(y)) : number<Real>(0, 0);
    if (!sycl::isfinite(y))
      return {x, nan<Real>};
  }
  if (x > large_exponent<Real> && sycl::isfinite(x)) {
    const Real half = sycl::exp(x / 2);
    return {half * sycl::cos(y) * half, half * sycl::sin(y) * half};
  }
  const Real e = sycl::exp(x);
  return {e * sycl::cos(y), e * sycl::sin(y)};
}

// Of a finite number whose parts are in the range in which no step overflows or loses digits.
template <class Real> number<Real> plain_sqrt(Real x, Real y) {
  const Real t = sycl::sqrt((sycl::fabs(x) + sycl::hypot(x, y)) / 2);
  if (x >= 0)
    return {t, y / (2 * t)};
  return {sycl::fabs(y) / (2 * t), sycl::copysign(t, y)};
}

template <class Real> number<Real> sqrt(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (x == 0 && y == 0)
    return {0, y};
  if (sycl::isinf(y))
    return {infinity<Real>, y};
  if (sycl::isinf(x)) {
    if (x > 0)
      return {x, sycl::isnan(y) ? y : sycl::copysign(Real(0), y)};
    return {sycl::isnan(y) ? y : Real(0), sycl::copysign(infinity<Real>, y)};
  }
  const Real big = sycl::fmax(sycl::fabs(x), sycl::fabs(y));
  if (big > std::numeric_limits<Real>::max() / 4)
    return plain_sqrt(x / 16, y / 16) * Real(4);
  if (big < std::numeric_limits<Real>::min() * 4) {
    constexpr Real scale = std::is_same_v<Real, float> ? 0x1p24f : 0x1p54;
    return plain_sqrt(x * scale * scale, y * scale * scale) / scale;
  }
  return plain_sqrt(x, y);
}

template <class Real> number<Real> pow(number<Real> z, number<Real> w) {
  if (w == number<Real>(0))
    return Real(1);
  if (z == number<Real>(0) && w.real() > 0)
    return Real(0);
  return formulas::exp(w * formulas::log(z));
}

// sinh with `sine` as its second sign, and cosh: the product of hyperbolic and circular functions.
template <class Real> number<Real> product(Real x, Real y, bool is_sinh) {
  const Real cosine = sycl::cos(y), sine = sycl::sin(y);
  if (sycl::fabs(x) > large_exponent<Real> && sycl::isfinite(x)) {
    const Real half = sycl::exp(sycl::fabs(x) / 2), sign = sycl::copysign(Real(1), x);
    const Real re = half / 2 * cosine * half, im = half / 2 * sine * half;
    return is_sinh ? number<Real>(sign * re, im) : number<Real>(re, sign * im);
  }
  const Real s = sycl::sinh(x), c = sycl::cosh(x);
  return is_sinh ? number<Real>(s * cosine, c * sine) : number<Real>(c * cosine, s * sine);
}

template <class Real> number<Real> sinh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if ((sycl::isinf(x) || x == 0) && !sycl::isfinite(y))
    return {x, nan<Real>};
  if (y == 0 && !sycl::isfinite(x))
    return z;
  return product(x, y, true);
}

template <class Real> number<Real> cosh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (sycl::isinf(x) && !sycl::isfinite(y))
    return {sycl::fabs(x), nan<Real>};
  if (x == 0 && !sycl::isfinite(y))
    return {nan<Real>, x};
  if (y == 0 && !sycl::isfinite(x))
    return {sycl::fabs(x), sycl::isnan(x) ? y : sycl::copysign(Real(1), x) * y};
  return product(x, y, false);
}

template <class Real> number<Real> tanh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (sycl::isinf(x))
    return {sycl::copysign(Real(1), x), sycl::copysign(Real(0), sycl::isfinite(y) ? sycl::sin(2 * y) : y)};
  if (sycl::isnan(x) && y == 0)
    return z;
  if (x == 0 && !sycl::isfinite(y))
    return {x, nan<Real>};
  if (sycl::fabs(x) > large_tanh<Real>)
    return {sycl::copysign(Real(1), x), 4 * sycl::sin(y) * sycl::cos(y) * sycl::exp(-2 * sycl::fabs(x))};
  const Real t = sycl::tan(y), beta = 1 + t * t, s = sycl::sinh(x), rho = sycl::sqrt(1 + s * s);
  const Real divisor = 1 + beta * s * s;
  return {beta * rho * s / divisor, t / divisor};
}

template <class Real> number<Real> special_acosh(Real x, Real y) {
  if (sycl::isinf(x)) {
    if (sycl::isnan(y))
      return {infinity<Real>, y};
    const Real angle = sycl::isinf(y) ? (x > 0 ? pi<Real> / 4 : 3 * pi<Real> / 4) : (x > 0 ? Real(0) : pi<Real>);
    return {infinity<Real>, sycl::copysign(angle, y)};
  }
  if (sycl::isinf(y))
    return {infinity<Real>, sycl::isnan(x) ? x : sycl::copysign(pi<Real> / 2, y)};
  return {nan<Real>, x == 0 ? pi<Real> / 2 : nan<Real>};
}

template <class Real> number<Real> acosh(number<Real> z) {
  if (is_special(z))
    return special_acosh(z.real(), z.imag());
  const number<Real> below = formulas::sqrt(number<Real>(z.real() - 1, z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(z.real() + 1, z.imag()));
  return {sycl::asinh(below.real() * above.real() + below.imag() * above.imag()),
          2 * sycl::atan2(below.imag(), above.real())};
}

template <class Real> number<Real> acos(number<Real> z) {
  if (is_special(z)) {
    const number<Real> w = special_acosh(z.real(), z.imag());
    return {sycl::fabs(w.imag()), sycl::signbit(z.imag()) ? w.real() : -w.real()};
  }
  const number<Real> below = formulas::sqrt(number<Real>(1 - z.real(), -z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(1 + z.real(), z.imag()));
  return {2 * sycl::atan2(below.real(), above.real()),
          sycl::asinh(above.real() * below.imag() - above.imag() * below.real())};
}

template <class Real> number<Real> special_asinh(Real x, Real y) {
  if (sycl::isinf(x)) {
    if (sycl::isnan(y))
      return {x, y};
    return {x, sycl::copysign(sycl::isinf(y) ? pi<Real> / 4 : Real(0), y)};
  }
  if (sycl::isinf(y))
    return {sycl::isnan(x) ? y : sycl::copysign(y, x), sycl::isnan(x) ? x : sycl::copysign(pi<Real> / 2, y)};
  return {nan<Real>, y == 0 ? y : nan<Real>};
}

template <class Real> number<Real> asin(number<Real> z) {
  if (is_special(z))
    return turned_back(special_asinh(-z.imag(), z.real()));
  const number<Real> below = formulas::sqrt(number<Real>(1 - z.real(), -z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(1 + z.real(), z.imag()));
  return {sycl::atan2(z.real(), below.real() * above.real() - below.imag() * above.imag()),
          sycl::asinh(below.real() * above.imag() - below.imag() * above.real())};
}
template <class Real> number<Real> asinh(number<Real> z) {
  if (is_special(z))
    return special_asinh(z.real(), z.imag());
  return turned_back(formulas::asin(turned(z)));
}

template <class Real> number<Real> atanh(number<Real> z) {
  const Real x = z.real(), y = z.imag(), ax = sycl::fabs(x), ay = sycl::fabs(y);
  const Real large = 1 / std::numeric_limits<Real>::epsilon();
  if (sycl::isnan(y) && (sycl::isinf(x) || x == 0))
    return {sycl::copysign(Real(0), x), y};
  if (sycl::isinf(x) || sycl::isinf(y))
    return {sycl::copysign(Real(0), x), sycl::copysign(pi<Real> / 2, y)};
  if (ax > large || ay > large) {
    const Real m = sycl::fmax(ax, ay), u = x / m, v = y / m;
    return {u / (u * u + v * v) / m, sycl::copysign(pi<Real> / 2, y)};
  }
  if (ax == 1 && y == 0)
    return {sycl::copysign(infinity<Real>, x), y};
  return {sycl::copysign(sycl::log1p(4 * ax / ((1 - ax) * (1 - ax) + y * y)) / 4, x),
          sycl::atan2(2 * y, (1 - ax) * (1 + ax) - y * y) / 2};
}

template <class Real> number<Real> sin(number<Real> z) { return turned_back(formulas::sinh(turned(z))); }
template <class Real> number<Real> cos(number<Real> z) { return formulas::cosh(turned(z)); }
template <class Real> number<Real> tan(number<Real> z) { return turned_back(formulas::tanh(turned(z))); }
template <class Real> number<Real> atan(number<Real> z) { return turned_back(formulas::atanh(turned(z))); }
template <class Real> number<Real> log10(number<Real> z) {
  return formulas::log(z) / static_cast<Real>(2.30258509299404568402);
}

} // namespace sycl::detail::complex_formulas

#endif
