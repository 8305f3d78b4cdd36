// Reference for floating-point formats of 16 bits: values by their definition, and rounding by
// search among all of them.
#pragma once
#include <cmath>

// Width of the fraction: 10 for half, 7 for bfloat16.
template <int Fraction> struct Reference {
  static constexpr int bias = (1 << (14 - Fraction)) - 1, infinity = 0x7fff >> Fraction << Fraction;

  static double value(unsigned bits) {
    const int exponent = (bits & 0x7fff) >> Fraction, fraction = bits & ((1 << Fraction) - 1);
    const double sign = bits >> 15 & 1 ? -1 : 1;
    if ((bits & 0x7fff) >= infinity)
      return fraction != 0 ? NAN : sign * INFINITY;
    const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - Fraction)
                                      : std::ldexp(fraction + (1 << Fraction), exponent - bias - Fraction);
    return sign * size;
  }
  // The number after the largest one counts in rounding to nearest.
  template <class Wide> static Wide finite(unsigned bits) {
    return bits == infinity ? 2 * static_cast<Wide>(std::ldexp(1.0, bias)) : static_cast<Wide>(value(bits));
  }

  // Modes: n to nearest, d down, u up, z towards zero.
  template <class Wide> static unsigned round(Wide x, char mode = 'n') {
    if (x != x)
      return 0x7fff;
    const bool is_negative = x < 0 || (x == 0 && std::signbit(static_cast<double>(x)));
    const Wide size = is_negative ? -x : x;
    unsigned low = 0, high = infinity; // The last that is not larger is searched.
    while (high - low > 1) {
      const unsigned middle = (low + high) / 2;
      (finite<Wide>(middle) <= size ? low : high) = middle;
    }
    if (size >= finite<Wide>(infinity))
      low = infinity;
    unsigned result = low;
    if (low == infinity)
      result = size > static_cast<Wide>(1e300) || mode == 'n' || (mode == 'u' && !is_negative) ||
                       (mode == 'd' && is_negative)
                   ? infinity
                   : infinity - 1;
    else if (finite<Wide>(low) != size) {
      const Wide below = size - finite<Wide>(low), above = finite<Wide>(low + 1) - size;
      const bool is_away = mode == 'n' ? above < below || (above == below && (low & 1) != 0)
                                       : (mode == 'u' && !is_negative) || (mode == 'd' && is_negative);
      result = low + is_away;
    }
    return result | (is_negative ? 0x8000u : 0u);
  }
  static bool same(unsigned a, unsigned b) { return a == b || (value(a) != value(a) && value(b) != value(b)); }
};
