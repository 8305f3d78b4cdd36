// The arguments of which the functions are computed.
//
// In: a number of a sample. Out: the same arguments on the host and on every device. *Invariant:*
// the samples of a function of one 32-bit number are all of its bit patterns if there are 2^32 of
// them, and spread evenly over the patterns if there are fewer.
#ifndef NUMERICS_ARGUMENTS_HPP
#define NUMERICS_ARGUMENTS_HPP

#include <cstdint>
#include <cstring>
#include <sycl/sycl.hpp>
#include <type_traits>
#include <vector>

namespace numerics {

using half = sycl::half;
using bfloat16 = sycl::ext::oneapi::bfloat16;

// The layout of a type: its digits, the exponent of its smallest normal number (as that of
// numeric_limits), and the multiplier that spreads numbers over its patterns.
template <class T> struct layout;
template <> struct layout<float> {
  using bits = std::uint32_t;
  static constexpr const char *name = "f32";
  static constexpr int digits = 24, lowest = -125;
  static constexpr bits spread = 0x9e3779b1;
};
template <> struct layout<double> {
  using bits = std::uint64_t;
  static constexpr const char *name = "f64";
  static constexpr int digits = 53, lowest = -1021;
  static constexpr bits spread = 0x9e3779b97f4a7c15;
};
template <> struct layout<half> {
  using bits = std::uint16_t;
  static constexpr const char *name = "half";
  static constexpr int digits = 11, lowest = -13;
  static constexpr bits spread = 1;
};
template <> struct layout<bfloat16> {
  using bits = std::uint16_t;
  static constexpr const char *name = "bfloat16";
  static constexpr int digits = 8, lowest = -125;
  static constexpr bits spread = 1;
};

template <class T> using bits_of = typename layout<T>::bits;
template <class T> constexpr int fraction = layout<T>::digits - 1;
// Of infinity.
template <class T>
constexpr bits_of<T> infinite = bits_of<T>(((bits_of<T>(1) << (sizeof(T) * 8 - 1 - fraction<T>)) - 1) << fraction<T>);
template <class T> constexpr bits_of<T> sign_bit = bits_of<T>(bits_of<T>(1) << (sizeof(T) * 8 - 1));

// A NaN becomes a quiet one: the C library distinguishes them.
template <class T> T of_bits(bits_of<T> bits) {
  if ((bits & ~sign_bit<T>) > infinite<T>)
    bits = bits_of<T>(infinite<T> | (bits_of<T>(1) << (fraction<T> - 1)));
  return sycl::bit_cast<T>(bits);
}

inline std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}
// Between 0 and 1.
inline double portion(std::uint64_t random) { return double(random >> 11) * 0x1p-53; }

// Numbers at which functions have cases of their own, of either sign.
template <class T> std::vector<T> special_numbers() {
  using bits = bits_of<T>;
  constexpr bits one = bits((bits((1 << (sizeof(T) * 8 - 2 - fraction<T>)) - 1)) << fraction<T>);
  constexpr bits step = bits(bits(1) << fraction<T>), half_step = bits(step >> 1);
  const bits whole = bits(one + bits(fraction<T>) * step);
  const bits patterns[] = {0, 1, bits(step - 1), step, bits(step + 1), bits(one - bits(layout<T>::digits) * step),
                           bits(one - 2 * step), bits(one - step), bits(one - 1), one, bits(one + 1),
                           bits(one + half_step), bits(one + step), bits(one + step + half_step / 2),
                           bits(one + step + half_step), bits(one + 2 * step), bits(whole - 1), whole,
                           bits(whole + 1), bits(whole + step), bits(infinite<T> - step), bits(infinite<T> - 1),
                           infinite<T>, bits(infinite<T> | half_step)};
  std::vector<T> numbers;
  for (bits pattern : patterns)
    for (bits sign : {bits(0), sign_bit<T>})
      numbers.push_back(of_bits<T>(bits(pattern | sign)));
  return numbers;
}

// Whole numbers for the functions whose last argument is one.
constexpr std::int32_t special_wholes[] = {0, 1, -1, 2, -2, 3, -3, 4, 5, -5, 10, 23, 24, 52, 53, 126, -126, 127, -149,
                                           150, 1023, -1074, 2098, -2098, 16777215, 16777216, 16777217, -16777217,
                                           2147483646, 2147483647, -2147483647, -2147483647 - 1};
constexpr std::uint32_t whole_count = sizeof special_wholes / sizeof *special_wholes;

template <class T> struct point {
  T x, y, z;
  std::int32_t n;
};

// Which arguments a function has.
enum class form { one, two, three, whole };

// How the arguments of one function are made. Most of those of functions of several numbers, and
// of f64, are in the interval.
template <class T> struct recipe {
  form arguments;
  double low, high;
  const T *special;
  std::uint32_t count;

  std::uint64_t special_cases() const {
    const std::uint64_t n = count;
    switch (arguments) {
    case form::one:
      return n;
    case form::two:
      return n * n;
    case form::three:
      return n * n * n;
    default:
      return n * whole_count;
    }
  }
  T inside(std::uint64_t random) const { return T(wide(sycl::fma(high - low, portion(random), low))); }

  // half is made of float.
  using wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  // Close to 1: powers of such numbers are finite also for large exponents.
  static T near_one(std::uint64_t random) {
    const double distance = sycl::ldexp(portion(random) - 0.5, -int(random % 20));
    return T(wide(1 + distance));
  }

  point<T> from_special(std::uint64_t index) const {
    point<T> made{special[index % count], special[index / count % count], T(0), 0};
    if (arguments == form::three)
      made.z = special[index / count / count % count];
    if (arguments == form::whole)
      made.n = special_wholes[index / count % whole_count];
    return made;
  }
  T one_number(std::uint64_t index) const {
    using bits = bits_of<T>;
    if (sizeof(T) == 8 && index % 2 != 0)
      return inside(mix(index));
    return of_bits<T>(bits(bits(index) * layout<T>::spread));
  }
  point<T> several(std::uint64_t index) const {
    using bits = bits_of<T>;
    const std::uint64_t first = mix(index * 4 + 1), second = mix(index * 4 + 2), third = mix(index * 4 + 3);
    point<T> made{inside(first), inside(second), inside(third), std::int32_t(third >> 32) % 40};
    switch (index % 8) {
    case 0:
    case 1:
      made = {of_bits<T>(bits(first)), of_bits<T>(bits(second)), of_bits<T>(bits(third)), std::int32_t(third >> 32)};
      break;
    case 2:
      made.x = near_one(first);
      made.y = T(wide(sycl::ldexp(portion(second) - 0.5, int(first % 20) + 8)));
      made.n = std::int32_t(third >> 32) >> (first % 20 + 4);
      break;
    case 3:
      // Close to each other, or of opposite sign.
      made.y = of_bits<T>(bits(sycl::bit_cast<bits>(made.x) + (second >> 40) % 64));
      made.n = std::int32_t(third >> 32) % 2000;
      break;
    case 4:
      made.x = of_bits<T>(bits(first));
      break;
    case 5:
      made.y = special[second % count];
      break;
    default:
      break;
    }
    return made;
  }
  point<T> at(std::uint64_t index) const {
    const std::uint64_t cases = special_cases();
    if (index < cases)
      return from_special(index);
    index -= cases;
    return arguments == form::one ? point<T>{one_number(index), T(0), T(0), 0} : several(index);
  }
};

} // namespace numerics

#endif
