// Functions of complex numbers, and of marrays of them (sycl_ext_oneapi_complex).
//
// Those of half are computed in float. A real argument of a function of complex numbers counts as
// one without an imaginary part; an integer as a double.
#ifndef SYCL_COMPLEX_MATH_HPP
#define SYCL_COMPLEX_MATH_HPP

#include "../detail/complex_formulas.hpp"
#include "../types/marray.hpp"

namespace sycl::detail {

// The type of the parts of a real number as a complex one.
template <class Type, class = void> struct real_part {};
template <class Type> struct real_part<Type, std::enable_if_t<is_complex_part<Type>>> { using type = Type; };
template <class Type> struct real_part<Type, std::enable_if_t<std::is_integral_v<Type>>> { using type = double; };
template <class Type> using real_part_t = typename real_part<Type>::type;

// Of the parts of two operands of pow: the wider one.
template <class One, class Other>
using wider_part = std::conditional_t<
    std::is_same_v<One, double> || std::is_same_v<Other, double>, double,
    std::conditional_t<std::is_same_v<One, float> || std::is_same_v<Other, float>, float, half>>;

template <class Type> ext::oneapi::experimental::complex<complex_part<Type>> widened(
    const ext::oneapi::experimental::complex<Type> &z) {
  return z;
}

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class Type> constexpr Type real(const complex<Type> &z) { return z.real(); }
template <class Type> constexpr Type imag(const complex<Type> &z) { return z.imag(); }
template <class Type> constexpr sycl::detail::real_part_t<Type> real(Type x) { return x; }
template <class Type> constexpr sycl::detail::real_part_t<Type> imag(Type) { return sycl::detail::real_part_t<Type>(0); }
template <class Type> complex<Type> conj(const complex<Type> &z) { return complex<Type>(z.real(), -z.imag()); }

// Functions with a real and with a complex value.
#define SINTER_REAL(name)                                                                                            \
  template <class Type> Type name(const complex<Type> &z) {                                                          \
    return static_cast<Type>(sycl::detail::complex_formulas::name(sycl::detail::widened(z)));                        \
  }
#define SINTER_COMPLEX(name)                                                                                         \
  template <class Type> complex<Type> name(const complex<Type> &z) {                                                 \
    return complex<Type>(sycl::detail::complex_formulas::name(sycl::detail::widened(z)));                            \
  }
SINTER_REAL(abs)
SINTER_REAL(arg)
SINTER_REAL(norm)
SINTER_COMPLEX(proj)
SINTER_COMPLEX(exp)
SINTER_COMPLEX(log)
SINTER_COMPLEX(log10)
SINTER_COMPLEX(sqrt)
SINTER_COMPLEX(sin)
SINTER_COMPLEX(cos)
SINTER_COMPLEX(tan)
SINTER_COMPLEX(asin)
SINTER_COMPLEX(acos)
SINTER_COMPLEX(atan)
SINTER_COMPLEX(sinh)
SINTER_COMPLEX(cosh)
SINTER_COMPLEX(tanh)
SINTER_COMPLEX(asinh)
SINTER_COMPLEX(acosh)
SINTER_COMPLEX(atanh)
#undef SINTER_REAL
#undef SINTER_COMPLEX

// Of real numbers.
template <class Type> sycl::detail::real_part_t<Type> arg(Type x) {
  return arg(complex<sycl::detail::real_part_t<Type>>(static_cast<sycl::detail::real_part_t<Type>>(x)));
}
template <class Type> sycl::detail::real_part_t<Type> norm(Type x) {
  return norm(complex<sycl::detail::real_part_t<Type>>(static_cast<sycl::detail::real_part_t<Type>>(x)));
}
template <class Type> complex<sycl::detail::real_part_t<Type>> conj(Type x) {
  return conj(complex<sycl::detail::real_part_t<Type>>(static_cast<sycl::detail::real_part_t<Type>>(x)));
}
template <class Type> complex<sycl::detail::real_part_t<Type>> proj(Type x) {
  return proj(complex<sycl::detail::real_part_t<Type>>(static_cast<sycl::detail::real_part_t<Type>>(x)));
}

template <class Type, sycl::detail::enable_if<sycl::detail::is_complex_part<Type>> = 0>
complex<Type> polar(const Type &radius, const Type &angle = Type()) {
  using wide = sycl::detail::complex_part<Type>;
  return complex<Type>(sycl::detail::complex_formulas::polar<wide>(radius, angle));
}

template <class Type, class Other>
complex<sycl::detail::wider_part<Type, Other>> pow(const complex<Type> &z, const complex<Other> &w) {
  using part = sycl::detail::wider_part<Type, Other>;
  using wide = complex<sycl::detail::complex_part<part>>;
  return complex<part>(sycl::detail::complex_formulas::pow(wide(z), wide(w)));
}
template <class Type, class Other, class Part = sycl::detail::real_part_t<Other>>
complex<sycl::detail::wider_part<Type, Part>> pow(const complex<Type> &z, const Other &w) {
  return pow(z, complex<Part>(static_cast<Part>(w)));
}
template <class Type, class Other, class Part = sycl::detail::real_part_t<Type>>
complex<sycl::detail::wider_part<Part, Other>> pow(const Type &z, const complex<Other> &w) {
  return pow(complex<Part>(static_cast<Part>(z)), w);
}

// Element by element.
#define SINTER_ELEMENTS(name, result)                                                                                \
  template <class Type, std::size_t Count>                                                                           \
  marray<result, Count> name(const marray<complex<Type>, Count> &zs) {                                               \
    marray<result, Count> values;                                                                                    \
    for (std::size_t i = 0; i < Count; ++i)                                                                          \
      values[i] = name(zs[i]);                                                                                       \
    return values;                                                                                                   \
  }
SINTER_ELEMENTS(real, Type)
SINTER_ELEMENTS(imag, Type)
SINTER_ELEMENTS(abs, Type)
SINTER_ELEMENTS(arg, Type)
SINTER_ELEMENTS(norm, Type)
SINTER_ELEMENTS(conj, complex<Type>)
SINTER_ELEMENTS(proj, complex<Type>)
SINTER_ELEMENTS(exp, complex<Type>)
SINTER_ELEMENTS(log, complex<Type>)
SINTER_ELEMENTS(log10, complex<Type>)
SINTER_ELEMENTS(sqrt, complex<Type>)
SINTER_ELEMENTS(sin, complex<Type>)
SINTER_ELEMENTS(cos, complex<Type>)
SINTER_ELEMENTS(tan, complex<Type>)
SINTER_ELEMENTS(asin, complex<Type>)
SINTER_ELEMENTS(acos, complex<Type>)
SINTER_ELEMENTS(atan, complex<Type>)
SINTER_ELEMENTS(sinh, complex<Type>)
SINTER_ELEMENTS(cosh, complex<Type>)
SINTER_ELEMENTS(tanh, complex<Type>)
SINTER_ELEMENTS(asinh, complex<Type>)
SINTER_ELEMENTS(acosh, complex<Type>)
SINTER_ELEMENTS(atanh, complex<Type>)
#undef SINTER_ELEMENTS

#define SINTER_ELEMENTS_2(name, first, second, one, other)                                                           \
  template <class Type, std::size_t Count>                                                                           \
  marray<complex<Type>, Count> name(const first &xs, const second &ys) {                                             \
    marray<complex<Type>, Count> values;                                                                             \
    for (std::size_t i = 0; i < Count; ++i)                                                                          \
      values[i] = name(one, other);                                                                                  \
    return values;                                                                                                   \
  }
#define SINTER_REALS marray<Type, Count>
#define SINTER_NUMBERS marray<complex<Type>, Count>
SINTER_ELEMENTS_2(polar, SINTER_REALS, SINTER_REALS, xs[i], ys[i])
SINTER_ELEMENTS_2(polar, SINTER_REALS, Type, xs[i], ys)
SINTER_ELEMENTS_2(polar, Type, SINTER_REALS, xs, ys[i])
SINTER_ELEMENTS_2(pow, SINTER_NUMBERS, SINTER_NUMBERS, xs[i], ys[i])
SINTER_ELEMENTS_2(pow, SINTER_NUMBERS, SINTER_REALS, xs[i], ys[i])
SINTER_ELEMENTS_2(pow, SINTER_REALS, SINTER_NUMBERS, xs[i], ys[i])
SINTER_ELEMENTS_2(pow, SINTER_NUMBERS, complex<Type>, xs[i], ys)
SINTER_ELEMENTS_2(pow, SINTER_NUMBERS, Type, xs[i], ys)
SINTER_ELEMENTS_2(pow, complex<Type>, SINTER_NUMBERS, xs, ys[i])
SINTER_ELEMENTS_2(pow, complex<Type>, SINTER_REALS, xs, ys[i])
SINTER_ELEMENTS_2(pow, SINTER_REALS, complex<Type>, xs[i], ys)
SINTER_ELEMENTS_2(pow, Type, SINTER_NUMBERS, xs, ys[i])
#undef SINTER_ELEMENTS_2
#undef SINTER_REALS
#undef SINTER_NUMBERS
template <class Type, std::size_t Count> marray<complex<Type>, Count> polar(const marray<Type, Count> &radii) {
  return polar(radii, Type());
}

} // namespace sycl::ext::oneapi::experimental

#endif
