// Error functions.
#include "exponential.hpp"

namespace math {
namespace {

// erf(x) for |x| <= 0.75: minimax polynomials in x^2 of erf(x) / x - 1; the relative error of the
// result is at most 2^-29.2 and 2^-66.2.
INLINED f32 short_erf(f32 x) {
  f32 z = x * x, p = polynomial(z, 0x1.06eba8p-3f, -0x1.81273ap-2f, 0x1.ce2acep-4f, -0x1.b7a75cp-6f, 0x1.4f188ap-8f,
                                -0x1.613e52p-11f);
  return mad(x, p, x);
}
INLINED f64 short_erf(f64 x) {
  f64 z = x * x;
  f64 p = polynomial(z, 0x1.06eba8214db69p-3, -0x1.812746b0379e7p-2, 0x1.ce2f21a042bbcp-4, -0x1.b82ce31287861p-6,
                     0x1.565bcd0e1baf4p-8, -0x1.c02db3e81fc43p-11, 0x1.f9a32246016a1p-14, -0x1.f4d1c17741f03p-17,
                     0x1.b9d978079795fp-20, -0x1.5eb15845c4c83p-23, 0x1.ee8289affdcf7p-27, -0x1.033a77a8f4b8bp-30);
  return mad(x, p, x);
}

// erfc(a) is e^-a^2 * q * P(q), where q is 1 / (a + 2) and 1 / (a + 4). The minimax polynomials are
// in the distance to the middle of the range of q, for a from 0.49 to 10.1 and 27.5; the relative
// error is at most 2^-25.1 and 2^-58.6.
INLINED f32 erfc_factor(f32 a) {
  f32 q = 1 / (a + 2);
  return q * polynomial(q - 0.234375f, 0x1.f59d8cp-1f, 0x1.4e2b54p1f, 0x1.16aeep2f, 0x1.545d72p1f, -0x1.3c50dcp2f,
                        -0x1.ed32a4p2f, 0x1.55b6e6p3f, 0x1.1108p4f, -0x1.f9f896p4f);
}
INLINED f64 erfc_factor(f64 a) {
  f64 q = 1 / (a + 4);
  return q * polynomial(q - 0.125, 0x1.18932bf08e154p0, 0x1.f3fe31ecb49bfp2, 0x1.8be202d26c6fcp5, 0x1.14eacb1ad033fp8,
                        0x1.52cac2371064cp10, 0x1.645fd8a4bc1a9p12, 0x1.38dbd2c8c2066p14, 0x1.b00c052c1d3afp15,
                        0x1.908f473e9cc03p16, 0x1.269b5286bf1e5p15, -0x1.dd28519904857p18, -0x1.72cdad9355484p20,
                        -0x1.e7cc9dcb1bb61p17, 0x1.3c6f917346633p23, 0x1.3ae0460c2d1ecp24, -0x1.7e6a0e7858fe5p25,
                        -0x1.c3cce2db4bfd2p27, 0x1.470204d3bdeadp27, 0x1.fd81138d4a0f9p30, -0x1.6dda1b1e52f62p27,
                        -0x1.96f84c63b73e2p33);
}

// erfc(a) for a from 1/2 on. The rounding error of the square is corrected, since e^-a^2 would
// amplify it.
template <class T> INLINED T large_erfc(T a) {
  pair<T> square = product(a, a);
  powers<T> p = split_natural(-square.high);
  T e = short_expm1(p.rest - square.low) + 1;
  return scale(e * erfc_factor(a), p.sum);
}

// From `limit` on, the result is 0, or that of erf 1.
template <class T> INLINED T limited(T x) { return at_most(fabs(x), T(sizeof(T) == 4 ? 10.5 : 27.5)); }

template <class T> INLINED T erf(T x) {
  T large = copysign(1 - large_erfc(limited(x)), x);
  return fabs(x) > T(0.75) ? large : short_erf(x);
}

template <class T> INLINED T erfc(T x) {
  T large = large_erfc(limited(x));
  large = x < 0 ? 2 - large : large;
  return fabs(x) > T(0.5) ? large : 1 - short_erf(x);
}

} // namespace
} // namespace math

LANES1(erf)
LANES1(erfc)
