// complex (sycl_ext_oneapi_complex): complex numbers of float, double and half.
//
// Products and quotients are those of std::complex, which recover infinities as Annex G of C says;
// those of half are computed in float. sycl.hpp includes this file only for programs that define
// SYCL_EXT_ONEAPI_COMPLEX first, as DPC++ does; the functions are in complex_math.hpp.
#ifndef SYCL_COMPLEX_HPP
#define SYCL_COMPLEX_HPP

#include "../detail/device_copyable.hpp"
#include "half.hpp"

#include <complex>
#include <istream>
#include <ostream>

#ifndef SYCL_EXT_ONEAPI_COMPLEX
#define SYCL_EXT_ONEAPI_COMPLEX 1
#endif

namespace sycl {

class stream;

namespace detail {

// The type in which a part is computed.
template <class Type> using complex_part = std::conditional_t<std::is_same_v<Type, half>, float, Type>;
template <class Type>
inline constexpr bool is_complex_part =
    std::is_same_v<Type, float> || std::is_same_v<Type, double> || std::is_same_v<Type, half>;

} // namespace detail

namespace ext::oneapi::experimental {

template <class Type> class complex {
  static_assert(sycl::detail::is_complex_part<Type>, "the parts of a complex are float, double or half");
  using wide = std::complex<sycl::detail::complex_part<Type>>;

public:
  using value_type = Type;

  constexpr complex(value_type re = value_type(), value_type im = value_type()) : parts{re, im} {}
  template <class Other>
  constexpr complex(const complex<Other> &other)
      : parts{static_cast<Type>(other.real()), static_cast<Type>(other.imag())} {}
  template <class Other>
  constexpr complex(const std::complex<Other> &other)
      : parts{static_cast<Type>(other.real()), static_cast<Type>(other.imag())} {}
  template <class Other> constexpr operator std::complex<Other>() const {
    return std::complex<Other>(static_cast<Other>(parts[0]), static_cast<Other>(parts[1]));
  }

  constexpr value_type real() const { return parts[0]; }
  constexpr value_type imag() const { return parts[1]; }
  constexpr void real(value_type value) { parts[0] = value; }
  constexpr void imag(value_type value) { parts[1] = value; }

  constexpr complex &operator=(value_type re) { return *this = complex(re); }
  template <class Other> constexpr complex &operator=(const complex<Other> &other) { return *this = complex(other); }

#define SINTER_ASSIGN(op)                                                                                            \
  friend constexpr complex &operator op##=(complex &z, value_type y) { return z = z op y; }                          \
  template <class Other> friend constexpr complex &operator op##=(complex &z, const complex<Other> &w) {             \
    return z = z op complex(w);                                                                                      \
  }
  SINTER_ASSIGN(+)
  SINTER_ASSIGN(-)
  SINTER_ASSIGN(*)
  SINTER_ASSIGN(/)
#undef SINTER_ASSIGN

  friend constexpr complex operator+(const complex &z) { return z; }
  friend constexpr complex operator-(const complex &z) { return complex(-z.real(), -z.imag()); }
  friend constexpr complex operator+(const complex &z, const complex &w) {
    return complex(z.real() + w.real(), z.imag() + w.imag());
  }
  friend constexpr complex operator+(const complex &z, value_type y) { return complex(z.real() + y, z.imag()); }
  friend constexpr complex operator+(value_type x, const complex &w) { return complex(x + w.real(), w.imag()); }
  friend constexpr complex operator-(const complex &z, const complex &w) {
    return complex(z.real() - w.real(), z.imag() - w.imag());
  }
  friend constexpr complex operator-(const complex &z, value_type y) { return complex(z.real() - y, z.imag()); }
  friend constexpr complex operator-(value_type x, const complex &w) { return complex(x - w.real(), -w.imag()); }
  friend constexpr complex operator*(const complex &z, const complex &w) { return complex(wide(z) * wide(w)); }
  friend constexpr complex operator*(const complex &z, value_type y) { return complex(z.real() * y, z.imag() * y); }
  friend constexpr complex operator*(value_type x, const complex &w) { return complex(x * w.real(), x * w.imag()); }
  friend constexpr complex operator/(const complex &z, const complex &w) { return complex(wide(z) / wide(w)); }
  friend constexpr complex operator/(const complex &z, value_type y) { return complex(z.real() / y, z.imag() / y); }
  friend constexpr complex operator/(value_type x, const complex &w) { return complex(x) / w; }

  friend constexpr bool operator==(const complex &z, const complex &w) {
    return z.real() == w.real() && z.imag() == w.imag();
  }
  friend constexpr bool operator==(const complex &z, value_type y) { return z == complex(y); }
  friend constexpr bool operator==(value_type x, const complex &w) { return complex(x) == w; }
  friend constexpr bool operator!=(const complex &z, const complex &w) { return !(z == w); }
  friend constexpr bool operator!=(const complex &z, value_type y) { return !(z == y); }
  friend constexpr bool operator!=(value_type x, const complex &w) { return !(x == w); }

  // Host code only.
  template <class Char, class Traits>
  friend std::basic_istream<Char, Traits> &operator>>(std::basic_istream<Char, Traits> &in, complex &z) {
    wide read;
    if (in >> read)
      z = complex(read);
    return in;
  }
  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits> &operator<<(std::basic_ostream<Char, Traits> &out, const complex &z) {
    return out << wide(z);
  }
  template <class Stream, sycl::detail::enable_if<std::is_same_v<Stream, stream>> = 0>
  friend const Stream &operator<<(const Stream &out, const complex &z) {
    return out << "(" << z.real() << "," << z.imag() << ")";
  }

private:
  Type parts[2];
};

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
