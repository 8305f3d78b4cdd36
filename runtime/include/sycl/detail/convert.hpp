// Conversion of a number to another type with a rounding mode, as `vec::convert` does it.
//
// In: an integer or a floating-point number, also one of 16 bits that is a class. Out: the number
// rounded once. *Invariant:* the result is exact for every pair of types and every mode; a real
// number beyond the range of an integer type is undefined, as in C++.
#ifndef SYCL_DETAIL_CONVERT_HPP
#define SYCL_DETAIL_CONVERT_HPP

#include "../math/math.hpp"
#include "rounding.hpp"
#include "swizzled.hpp"

namespace sycl::detail {

// The mode `automatic` is that of the source's type: to nearest, not that of a cast in C++.
template <class To, rounding_mode Mode, class From> constexpr To round_integer(From x) noexcept {
  if constexpr (Mode == rounding_mode::rte || Mode == rounding_mode::automatic)
    return static_cast<To>(rint(x));
  else if constexpr (Mode == rounding_mode::rtp)
    return static_cast<To>(ceil(x));
  else if constexpr (Mode == rounding_mode::rtn)
    return static_cast<To>(floor(x));
  else
    return static_cast<To>(x);
}

template <class To, rounding_mode Mode, class From> constexpr To convert(From x) noexcept {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (is_short_fraction<From>)
    return convert<To, Mode>(static_cast<float>(x));
  else if constexpr (is_fraction<To> && std::is_enum_v<From>)
    return static_cast<To>(static_cast<unsigned char>(x));
  else if constexpr (is_fraction<To> && !std::is_same_v<From, bool>)
    return round_fraction<To, Mode>(x);
  else if constexpr (is_fraction<From> && !std::is_same_v<To, bool> && !std::is_enum_v<To>)
    return round_integer<To, Mode>(x);
  else
    return static_cast<To>(x);
}

} // namespace sycl::detail

#endif
