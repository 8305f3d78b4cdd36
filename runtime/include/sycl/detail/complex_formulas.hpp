// Elementary functions of a complex number in float or double, on top of SYCL's functions.
#ifndef SYCL_DETAIL_COMPLEX_FORMULAS_HPP
#define SYCL_DETAIL_COMPLEX_FORMULAS_HPP

#include "../math/math.hpp"
#include "../types/complex.hpp"

namespace sycl::detail::complex_formulas {

template <class Real> using number = ext::oneapi::experimental::complex<Real>;

// The functions here, not those that a complex argument would find, and those of real numbers.
namespace formulas = complex_formulas;
namespace functions = sycl;

#include "derived_complex.hpp"

} // namespace sycl::detail::complex_formulas

#endif
