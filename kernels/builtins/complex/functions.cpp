// The functions of C on complex numbers of float and double, as the host passes them: stage 1
// defines them in kernels. They call functions of C on real numbers, which become builtins.
#include "../generic/math.hpp"
#include "../host/elementary.hpp"

using c32 = float _Complex;
using c64 = double _Complex;

namespace {
namespace formulas_of_c {

template <class Real> struct pair { using type = c64; };
template <> struct pair<f32> { using type = c32; };

template <class Real> class number {
  using type = typename pair<Real>::type;

public:
  number(Real re, Real im) : re(re), im(im) {}
  number(type z) : re(__real__ z), im(__imag__ z) {}
  operator type() const { return __builtin_complex(re, im); }
  Real real() const { return re; }
  Real imag() const { return im; }
  friend number operator*(number z, number w) { return static_cast<type>(z) * static_cast<type>(w); }

private:
  Real re, im;
};

namespace formulas = formulas_of_c;
namespace functions = math;

#include "../../../runtime/include/sycl/detail/derived_complex.hpp"

} // namespace formulas_of_c
} // namespace

#define REAL(NAME)                                                                                                     \
  extern "C" f32 c##NAME##f(c32 z) { return formulas_of_c::NAME(formulas_of_c::number<f32>(z)); }             \
  extern "C" f64 c##NAME(c64 z) { return formulas_of_c::NAME(formulas_of_c::number<f64>(z)); }
#define COMPLEX(NAME)                                                                                                  \
  extern "C" c32 c##NAME##f(c32 z) { return formulas_of_c::NAME(formulas_of_c::number<f32>(z)); }    \
  extern "C" c64 c##NAME(c64 z) { return formulas_of_c::NAME(formulas_of_c::number<f64>(z)); }
#define OF_TWO(NAME)                                                                                                   \
  extern "C" c32 c##NAME##f(c32 z, c32 w) {                                                 \
    return formulas_of_c::NAME(formulas_of_c::number<f32>(z), formulas_of_c::number<f32>(w));                          \
  }                                                                                                                    \
  extern "C" c64 c##NAME(c64 z, c64 w) {                                                    \
    return formulas_of_c::NAME(formulas_of_c::number<f64>(z), formulas_of_c::number<f64>(w));                          \
  }

REAL(abs)
REAL(arg)
COMPLEX(proj)
COMPLEX(exp)
COMPLEX(log)
COMPLEX(log10)
OF_TWO(pow)
COMPLEX(sqrt)
COMPLEX(sin)
COMPLEX(cos)
COMPLEX(tan)
COMPLEX(sinh)
COMPLEX(cosh)
COMPLEX(tanh)
COMPLEX(asin)
COMPLEX(acos)
COMPLEX(atan)
COMPLEX(asinh)
COMPLEX(acosh)
COMPLEX(atanh)
