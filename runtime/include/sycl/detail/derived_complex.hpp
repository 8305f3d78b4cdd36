// Elementary functions of a complex number in float or double.
//
// Special values are those of Annex G of C. Each part of a result is exact but for a few units in
// its last place, except in pow, where errors grow with the logarithm of the result. The inverse
// functions are W. Kahan's ("Branch Cuts for Complex Elementary Functions", 1987).
//
// Host code of SYCL and the complex functions of C in kernels share this code: it is included in a
// namespace with the template number, by complex_formulas.hpp and by kernels/builtins/complex.
// There functions is the namespace of functions of real numbers, and formulas that of this code.
template <class Real> inline constexpr bool is_single = sizeof(Real) == 4;
template <class Real> inline constexpr Real pi = static_cast<Real>(3.14159265358979323846);
template <class Real> inline constexpr Real log_of_2 = static_cast<Real>(0.69314718055994530942);
template <class Real> inline constexpr Real log10_of_e = static_cast<Real>(0.43429448190325182765);
template <class Real> inline constexpr Real infinity = static_cast<Real>(__builtin_huge_val());
template <class Real> inline constexpr Real nan = static_cast<Real>(__builtin_nan(""));
template <class Real> inline constexpr Real largest = is_single<Real> ? Real(__FLT_MAX__) : Real(__DBL_MAX__);
template <class Real> inline constexpr Real least_normal = is_single<Real> ? Real(__FLT_MIN__) : Real(__DBL_MIN__);
// A power of 2 that makes subnormal numbers normal. From here on a sum with 1 is rounded.
template <class Real> inline constexpr Real large = is_single<Real> ? Real(0x1p24) : Real(0x1p53);
// A little below the logarithm of the largest number, and its exponential. From there on sinh is
// half of exp in every digit.
template <class Real> inline constexpr Real large_exponent = is_single<Real> ? 80 : 700;
template <class Real>
inline constexpr Real large_power = static_cast<Real>(is_single<Real> ? 5.54062238439351005257e34
                                                                       : 1.01423205473500450946e304);
// From here on tanh is 1 in every digit.
template <class Real> inline constexpr Real large_tanh = is_single<Real> ? 12 : 24;

// i z and -i z.
template <class Real> number<Real> turned(number<Real> z) { return {-z.imag(), z.real()}; }
template <class Real> number<Real> turned_back(number<Real> z) { return {z.imag(), -z.real()}; }

template <class Real> bool is_infinite(number<Real> z) {
  return __builtin_isinf(z.real()) || __builtin_isinf(z.imag());
}
template <class Real> bool is_special(number<Real> z) {
  return !__builtin_isfinite(z.real()) || !__builtin_isfinite(z.imag());
}
template <class Real> Real larger_part(number<Real> z) {
  return functions::fmax(functions::fabs(z.real()), functions::fabs(z.imag()));
}

template <class Real> Real norm(number<Real> z) {
  return is_infinite(z) ? infinity<Real> : z.real() * z.real() + z.imag() * z.imag();
}
template <class Real> Real abs(number<Real> z) { return functions::hypot(z.real(), z.imag()); }
template <class Real> Real arg(number<Real> z) { return functions::atan2(z.imag(), z.real()); }

template <class Real> number<Real> proj(number<Real> z) {
  return is_infinite(z) ? number<Real>(infinity<Real>, functions::copysign(Real(0), z.imag())) : z;
}

// The magnitude of a negative radius is not defined; nor is an infinite angle.
template <class Real> number<Real> polar(Real radius, Real angle) {
  if (angle == 0)
    return {radius, angle};
  return {radius * functions::cos(angle), radius * functions::sin(angle)};
}

// Replaces two numbers by their rounded sum and its error (D. Knuth, "The Art of Computer
// Programming", volume 2, 4.2.2).
template <class Real> void add_exactly(Real &sum, Real &error) {
#pragma clang fp contract(off) reassociate(off)
  const Real x = sum, y = error, rounded = x + y, part = rounded - x;
  sum = rounded;
  error = (x - (rounded - part)) + (y - part);
}

// x^2 + y^2 - 1, summed in three times the precision, because large terms may cancel.
template <class Real> Real norm_less_one(Real x, Real y) {
#pragma clang fp contract(off) reassociate(off)
  Real terms[] = {-1, x * x, y * y, 0, 0};
  terms[3] = functions::fma(x, x, -terms[1]);
  terms[4] = functions::fma(y, y, -terms[2]);
  for (int round = 0; round < 2; ++round)
    for (int i = 1; i < 5; ++i)
      add_exactly(terms[i], terms[i - 1]);
  return (((terms[0] + terms[1]) + terms[2]) + terms[3]) + terms[4];
}

// The logarithm of the magnitude: near 1 from its distance to 1.
template <class Real> Real log_abs(number<Real> z) {
  const Real x = z.real(), y = z.imag(), big = larger_part(z);
  if (is_special(z))
    return functions::log(formulas::abs(z));
  if (big > Real(0.5) && big < Real(2))
    return functions::log1p(norm_less_one(x, y)) / 2;
  if (big > largest<Real> / 2)
    return functions::log(functions::hypot(x / 2, y / 2)) + log_of_2<Real>;
  if (big < least_normal<Real> * 2 && big > 0)
    return functions::log(functions::hypot(x * large<Real>, y * large<Real>)) - functions::log(large<Real>);
  return functions::log(functions::hypot(x, y));
}
template <class Real> number<Real> log(number<Real> z) { return {log_abs(z), formulas::arg(z)}; }
template <class Real> number<Real> log10(number<Real> z) {
  return {log_abs(z) * log10_of_e<Real>, formulas::arg(z) * log10_of_e<Real>};
}

// A number times factor exp(x). A large exp(x) may be out of range, and the product in it.
template <class Real> number<Real> times_power(Real factor, Real x, Real re, Real im) {
  const bool is_large = x > large_exponent<Real> && __builtin_isfinite(x);
  const Real rest = is_large ? functions::fmin(x, 3 * large_exponent<Real>) - large_exponent<Real> : x;
  const bool is_far = is_large && rest > large_exponent<Real>;
  const Real e = factor * functions::exp(is_far ? rest - large_exponent<Real> : rest);
  const Real scale = is_large ? large_power<Real> : Real(1), far = is_far ? large_power<Real> : Real(1);
  return {e * re * scale * far, e * im * scale * far};
}

template <class Real> number<Real> exp(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (__builtin_isinf(x) && !__builtin_isfinite(y))
    return x < 0 ? number<Real>(0, 0) : number<Real>(x, nan<Real>);
  if (y == 0 && !(x <= largest<Real>))
    return z;
  return times_power(Real(1), x, functions::cos(y), functions::sin(y));
}

// Of a finite number whose parts are in the range in which no step overflows or loses digits.
template <class Real> number<Real> plain_sqrt(Real x, Real y) {
  const Real t = functions::sqrt((functions::fabs(x) + functions::hypot(x, y)) / 2);
  if (x >= 0)
    return {t, y / (2 * t)};
  return {functions::fabs(y) / (2 * t), functions::copysign(t, y)};
}

template <class Real> number<Real> sqrt(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (x == 0 && y == 0)
    return {0, y};
  if (__builtin_isinf(y))
    return {infinity<Real>, y};
  if (__builtin_isinf(x)) {
    if (x > 0)
      return {x, __builtin_isnan(y) ? y : functions::copysign(Real(0), y)};
    return {__builtin_isnan(y) ? y : Real(0), functions::copysign(infinity<Real>, y)};
  }
  const Real big = larger_part(z);
  const bool is_big = big > largest<Real> / 4, is_small = big < least_normal<Real> * 4;
  constexpr Real root = is_single<Real> ? Real(0x1p12) : Real(0x1p27);
  const Real scale = is_big ? Real(1) / 16 : is_small ? root * root : Real(1);
  const Real back = is_big ? Real(4) : is_small ? 1 / root : Real(1);
  const number<Real> result = plain_sqrt(x * scale, y * scale);
  return {result.real() * back, result.imag() * back};
}

// In C and C++ the powers of zero are not defined. These are the limits.
template <class Real> number<Real> pow(number<Real> z, number<Real> w) {
  if (w.real() == 0 && w.imag() == 0)
    return {1, 0};
  if (z.real() == 0 && z.imag() == 0 && w.real() > 0)
    return {0, 0};
  return formulas::exp(w * formulas::log(z));
}

// sinh, or cosh: products of hyperbolic and circular functions.
template <class Real> number<Real> product(Real x, Real y, bool is_sinh) {
  const Real cosine = functions::cos(y), sine = functions::sin(y);
  if (functions::fabs(x) > large_exponent<Real> && __builtin_isfinite(x)) {
    const Real sign = functions::copysign(Real(1), x);
    return times_power(Real(0.5), functions::fabs(x), is_sinh ? sign * cosine : cosine, is_sinh ? sine : sign * sine);
  }
  const Real s = functions::sinh(x), c = functions::cosh(x);
  return is_sinh ? number<Real>(s * cosine, c * sine) : number<Real>(c * cosine, s * sine);
}

template <class Real> number<Real> sinh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if ((__builtin_isinf(x) || x == 0) && !__builtin_isfinite(y))
    return {x, nan<Real>};
  if (y == 0 && !__builtin_isfinite(x))
    return z;
  return product(x, y, true);
}

template <class Real> number<Real> cosh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (__builtin_isinf(x) && !__builtin_isfinite(y))
    return {functions::fabs(x), nan<Real>};
  if (x == 0 && !__builtin_isfinite(y))
    return {nan<Real>, x};
  if (y == 0 && !__builtin_isfinite(x))
    return {functions::fabs(x), __builtin_isnan(x) ? y : functions::copysign(Real(1), x) * y};
  return product(x, y, false);
}

template <class Real> number<Real> tanh(number<Real> z) {
  const Real x = z.real(), y = z.imag();
  if (__builtin_isnan(x) && y == 0)
    return z;
  if (x == 0 && !__builtin_isfinite(y))
    return {x, nan<Real>};
  const Real sine = functions::sin(y), cosine = functions::cos(y);
  if (__builtin_isinf(x))
    return {functions::copysign(Real(1), x), functions::copysign(Real(0), __builtin_isfinite(y) ? sine * cosine : y)};
  if (functions::fabs(x) > large_tanh<Real> && __builtin_isfinite(y))
    return {functions::copysign(Real(1), x), 4 * sine * cosine * functions::exp(-2 * functions::fabs(x))};
  const Real s = functions::sinh(x), square = s * s, divisor = square + cosine * cosine;
  return {s * functions::sqrt(1 + square) / divisor, sine * cosine / divisor};
}

template <class Real> number<Real> special_acosh(Real x, Real y) {
  if (__builtin_isinf(x)) {
    if (__builtin_isnan(y))
      return {infinity<Real>, y};
    const Real angle = __builtin_isinf(y) ? (x > 0 ? pi<Real> / 4 : 3 * pi<Real> / 4) : (x > 0 ? Real(0) : pi<Real>);
    return {infinity<Real>, functions::copysign(angle, y)};
  }
  if (__builtin_isinf(y))
    return {infinity<Real>, __builtin_isnan(x) ? x : functions::copysign(pi<Real> / 2, y)};
  return {nan<Real>, x == 0 ? pi<Real> / 2 : nan<Real>};
}

// The logarithm of twice the magnitude, for a large number.
template <class Real> Real log_of_twice(number<Real> z) { return log_abs(z) + log_of_2<Real>; }

template <class Real> number<Real> acosh(number<Real> z) {
  if (is_special(z))
    return special_acosh(z.real(), z.imag());
  if (larger_part(z) > large<Real>)
    return {log_of_twice(z), formulas::arg(z)};
  const number<Real> below = formulas::sqrt(number<Real>(z.real() - 1, z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(z.real() + 1, z.imag()));
  return {functions::asinh(below.real() * above.real() + below.imag() * above.imag()),
          2 * functions::atan2(below.imag(), above.real())};
}

template <class Real> number<Real> acos(number<Real> z) {
  if (is_special(z)) {
    const number<Real> w = special_acosh(z.real(), z.imag());
    return {functions::fabs(w.imag()), __builtin_signbit(z.imag()) ? w.real() : -w.real()};
  }
  if (larger_part(z) > large<Real>)
    return {functions::fabs(formulas::arg(z)), functions::copysign(log_of_twice(z), -z.imag())};
  const number<Real> below = formulas::sqrt(number<Real>(1 - z.real(), -z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(1 + z.real(), z.imag()));
  return {2 * functions::atan2(below.real(), above.real()),
          functions::asinh(above.real() * below.imag() - above.imag() * below.real())};
}

template <class Real> number<Real> special_asinh(Real x, Real y) {
  if (__builtin_isinf(x)) {
    if (__builtin_isnan(y))
      return {x, y};
    return {x, functions::copysign(__builtin_isinf(y) ? pi<Real> / 4 : Real(0), y)};
  }
  if (__builtin_isinf(y))
    return {__builtin_isnan(x) ? y : functions::copysign(y, x),
            __builtin_isnan(x) ? x : functions::copysign(pi<Real> / 2, y)};
  return {nan<Real>, y == 0 ? y : nan<Real>};
}

template <class Real> number<Real> asin(number<Real> z) {
  if (is_special(z))
    return turned_back(special_asinh(-z.imag(), z.real()));
  if (larger_part(z) > large<Real>)
    return {functions::atan2(z.real(), functions::fabs(z.imag())), functions::copysign(log_of_twice(z), z.imag())};
  const number<Real> below = formulas::sqrt(number<Real>(1 - z.real(), -z.imag()));
  const number<Real> above = formulas::sqrt(number<Real>(1 + z.real(), z.imag()));
  return {functions::atan2(z.real(), below.real() * above.real() - below.imag() * above.imag()),
          functions::asinh(below.real() * above.imag() - below.imag() * above.real())};
}
template <class Real> number<Real> asinh(number<Real> z) {
  if (is_special(z))
    return special_asinh(z.real(), z.imag());
  return turned_back(formulas::asin(turned(z)));
}

// The square of y is 0 long before y is, so that there is no quotient.
template <class Real> number<Real> atanh_beside_one(Real sign, Real y) {
  const Real twice = functions::fabs(y) < 1 / large<Real>
                         ? log_of_2<Real> - functions::log(functions::fabs(y))
                         : functions::log1p(4 / (y * y)) / 2;
  return {functions::copysign(twice / 2, sign), functions::atan2(2 * y, -y * y) / 2};
}

template <class Real> number<Real> atanh(number<Real> z) {
  const Real x = z.real(), y = z.imag(), ax = functions::fabs(x);
  if (__builtin_isnan(y) && (__builtin_isinf(x) || x == 0))
    return {functions::copysign(Real(0), x), y};
  if (is_infinite(z))
    return {functions::copysign(Real(0), x), functions::copysign(pi<Real> / 2, y)};
  const Real big = larger_part(z);
  if (big > large<Real> && !is_special(z)) {
    const Real u = x / big, v = y / big;
    return {u / (u * u + v * v) / big, functions::copysign(pi<Real> / 2, y)};
  }
  if (ax == 1)
    return y == 0 ? number<Real>(functions::copysign(infinity<Real>, x), y) : atanh_beside_one(x, y);
  return {functions::copysign(functions::log1p(4 * ax / ((1 - ax) * (1 - ax) + y * y)) / 4, x),
          functions::atan2(2 * y, (1 - ax) * (1 + ax) - y * y) / 2};
}

template <class Real> number<Real> sin(number<Real> z) { return turned_back(formulas::sinh(turned(z))); }
template <class Real> number<Real> cos(number<Real> z) { return formulas::cosh(turned(z)); }
template <class Real> number<Real> tan(number<Real> z) { return turned_back(formulas::tanh(turned(z))); }
template <class Real> number<Real> atan(number<Real> z) { return turned_back(formulas::atanh(turned(z))); }
