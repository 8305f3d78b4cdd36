// The functions that are measured, for one type.
//
// Bounds and intervals of functions with a builtin are those of the table of device functions
// (../gpu/ulp_functions.hpp); those of the others are in section 7.4 of the OpenCL 3.0
// specification, for the full profile.
#ifndef NUMERICS_CASES_HPP
#define NUMERICS_CASES_HPP

#include "../gpu/ulp_functions.hpp"
#include "measure.hpp"

namespace numerics {

template <class T> struct neighbours {
  template <class W> W operator()(W x, W y, W, std::int32_t) const { return neighbour<T>(x, y); }
};

// The list to which functions of `T` are added.
template <class T> struct cases {
  std::vector<measurement> &to;

  // For half the reference of nextafter is that of `neighbours`.
  template <class Function, class Reference> void add(const function &f, Function compute, Reference reference) {
    if (sizeof(T) == 2 && f.name == std::string("nextafter") && !std::is_same_v<Reference, neighbours<T>>)
      return;
    to.push_back({f.family, f.name, layout<T>::name, [=](sycl::queue &queue, const options &chosen) {
                    return measured<T>(queue, chosen, f, compute, reference);
                  }});
  }
};

#define NUMERICS_COMPUTE(...) \
  [](T x, [[maybe_unused]] T y, [[maybe_unused]] T z, [[maybe_unused]] std::int32_t n) { __VA_ARGS__ }
#define NUMERICS_REFER(...) \
  [](auto x, [[maybe_unused]] auto y, [[maybe_unused]] auto z, [[maybe_unused]] std::int32_t n) { \
    return reference::__VA_ARGS__; \
  }
#define NUMERICS_CASE(FAMILY, NAME, FORM, BOUND, LOW, HIGH, REFERENCE, ...) \
  list.add({FAMILY, NAME, form::FORM, BOUND, LOW, HIGH}, NUMERICS_COMPUTE(__VA_ARGS__), NUMERICS_REFER(REFERENCE));

#define NUMERICS_1(NAME, BOUND, LOW, HIGH) \
  NUMERICS_CASE("sycl", #NAME, one, BOUND, LOW, HIGH, NAME(x), return sycl::NAME(x);)
#define NUMERICS_2(NAME, BOUND, LOW, HIGH) \
  NUMERICS_CASE("sycl", #NAME, two, BOUND, LOW, HIGH, NAME(x, y), return sycl::NAME(x, y);)
#define NUMERICS_WHOLE(NAME, BOUND, LOW, HIGH) \
  NUMERICS_CASE("sycl", #NAME, whole, BOUND, LOW, HIGH, NAME(x, n), return sycl::NAME(x, n);)
#define NUMERICS_NATIVE(NAME, LOW, HIGH) \
  NUMERICS_CASE("native", #NAME, one, no_bound, LOW, HIGH, NAME(x), return sycl::native::NAME(x);)
#define NUMERICS_HALF(NAME, LOW, HIGH) \
  NUMERICS_CASE("half_precision", #NAME, one, 8192, LOW, HIGH, NAME(x), return sycl::half_precision::NAME(x);)
#define NUMERICS_BFLOAT16(NAME) \
  NUMERICS_CASE("bfloat16", #NAME, one, 1, -1, 1, NAME(x), return sycl::ext::oneapi::experimental::NAME(x);)

// Rounded as the reference is.
template <class T> T of_int(int number) {
  if constexpr (sizeof(T) == 2)
    return T(static_cast<float>(number));
  else
    return T(number);
}

// Functions without a builtin of their own, or with several results.
template <class T> void add_others(cases<T> list) {
  NUMERICS_CASE("sycl", "tanpi", one, 6, -10, 10, tanpi(x), return sycl::tanpi(x);)
  NUMERICS_CASE("sycl", "fma", three, 0, -10, 10, fma(x, y, z), return sycl::fma(x, y, z);)
  NUMERICS_CASE("sycl", "mad", three, no_bound, -10, 10, mad(x, y, z), return sycl::mad(x, y, z);)
  NUMERICS_CASE("sycl", "degrees", one, 2, -10, 10, degrees(x), return sycl::degrees(x);)
  NUMERICS_CASE("sycl", "radians", one, 2, -1000, 1000, radians(x), return sycl::radians(x);)
  NUMERICS_CASE("sycl", "sign", one, 0, -10, 10, sign(x), return sycl::sign(x);)
  NUMERICS_CASE("sycl", "step", two, 0, -10, 10, step(x, y), return sycl::step(x, y);)
  NUMERICS_CASE("sycl", "ilogb", one, 0, -10, 10, ilogb(x), return of_int<T>(sycl::ilogb(x));)
  NUMERICS_CASE("sycl", "fract", one, 0, -10, 10, fract(x, below_one<T, decltype(x)>()), T whole;
                return sycl::fract(x, &whole);)
  NUMERICS_CASE("sycl", "fract, whole", one, 0, -10, 10, floor(x), T whole; sycl::fract(x, &whole); return whole;)
  NUMERICS_CASE("sycl", "modf", one, 0, -10, 10, modf(x), T whole; return sycl::modf(x, &whole);)
  NUMERICS_CASE("sycl", "modf, whole", one, 0, -10, 10, trunc(x), T whole; sycl::modf(x, &whole); return whole;)
  NUMERICS_CASE("sycl", "frexp", one, 0, -10, 10, frexp(x), int exponent; return sycl::frexp(x, &exponent);)
  NUMERICS_CASE("sycl", "frexp, exponent", one, 0, -10, 10, exponent(x), int exponent; sycl::frexp(x, &exponent);
                return of_int<T>(exponent);)
  NUMERICS_CASE("sycl", "lgamma_r", one, no_bound, -10, 100, lgamma(x), int sign; return sycl::lgamma_r(x, &sign);)
  NUMERICS_CASE("sycl", "remquo", two, 0, -100, 100, remainder(x, y), int part; return sycl::remquo(x, y, &part);)
  NUMERICS_CASE("sycl", "sincos", one, 4, -100, 100, sin(x), T cosine; return sycl::sincos(x, &cosine);)
  NUMERICS_CASE("sycl", "sincos, cosine", one, 4, -100, 100, cos(x), T cosine; sycl::sincos(x, &cosine); return cosine;)
}

// half has no function of the C library.
template <class T> void add_nextafter(cases<T> list) {
  list.add({"sycl", "nextafter", form::two, 0, -10, 10}, NUMERICS_COMPUTE(return sycl::nextafter(x, y);),
           neighbours<T>{});
}

template <class T> void add_sycl(cases<T> list) {
  ULP_UNARY(NUMERICS_1)
  ULP_BINARY(NUMERICS_2)
  ULP_WHOLE(NUMERICS_WHOLE)
  add_others(list);
  if constexpr (sizeof(T) == 2)
    add_nextafter(list);
}

// Of an f32, in any type.
template <class W> W normal_or_one(W x) {
  return x < W(0x1p-126) && x > W(-0x1p-126) ? W(1) : x;
}

inline void add_native(cases<float> list) {
  using T = float;
  ULP_NATIVE(NUMERICS_NATIVE)
  NUMERICS_CASE("native", "recip", one, no_bound, -100, 100, recip(x), return sycl::native::recip(x);)
  NUMERICS_CASE("native", "divide", two, no_bound, -100, 100, divide(x, y), return sycl::native::divide(x, y);)
  NUMERICS_CASE("native", "powr", two, no_bound, 0, 10, powr(x, y), return sycl::native::powr(x, y);)
  ULP_NATIVE(NUMERICS_HALF)
  NUMERICS_HALF(recip, -100, 100)
  // A subnormal divisor may count as zero.
  NUMERICS_CASE("half_precision", "divide", two, 8192, -100, 100, divide(x, normal_or_one(y)),
                return sycl::half_precision::divide(x, normal_or_one(y));)
  NUMERICS_CASE("half_precision", "powr", two, 8192, 0, 10, powr(x, y), return sycl::half_precision::powr(x, y);)
}

inline void add_arithmetic(cases<float> list) {
  using T = float;
  NUMERICS_CASE("arithmetic", "x / y", two, 2.5, -100, 100, divide(x, y), return x / y;)
}
inline void add_arithmetic(cases<double> list) {
  using T = double;
  NUMERICS_CASE("arithmetic", "x / y", two, 0, -100, 100, divide(x, y), return x / y;)
}
inline void add_arithmetic(cases<half> list) {
  using T = half;
  NUMERICS_CASE("arithmetic", "x / y", two, 0, -100, 100, divide(x, y), return x / y;)
}

inline void add_bfloat16(cases<bfloat16> list) {
  using T = bfloat16;
  NUMERICS_BFLOAT16(fabs)
  NUMERICS_BFLOAT16(ceil)
  NUMERICS_BFLOAT16(floor)
  NUMERICS_BFLOAT16(cos)
  NUMERICS_BFLOAT16(sin)
  NUMERICS_BFLOAT16(exp)
  NUMERICS_BFLOAT16(exp10)
  NUMERICS_BFLOAT16(exp2)
  NUMERICS_BFLOAT16(log)
  NUMERICS_BFLOAT16(log2)
  NUMERICS_BFLOAT16(log10)
  NUMERICS_BFLOAT16(rint)
  NUMERICS_BFLOAT16(sqrt)
  NUMERICS_BFLOAT16(rsqrt)
  NUMERICS_BFLOAT16(tanh)
  NUMERICS_BFLOAT16(trunc)
  namespace oneapi = sycl::ext::oneapi::experimental;
  NUMERICS_CASE("bfloat16", "fmin", two, 0, -10, 10, fmin(x, y), return oneapi::fmin(x, y);)
  NUMERICS_CASE("bfloat16", "fmax", two, 0, -10, 10, fmax(x, y), return oneapi::fmax(x, y);)
  NUMERICS_CASE("bfloat16", "fma", three, 0, -10, 10, fma(x, y, z), return oneapi::fma(x, y, z);)
}

void add_f32(std::vector<measurement> &to);
void add_f64(std::vector<measurement> &to);
void add_half(std::vector<measurement> &to);
void add_bfloat16(std::vector<measurement> &to);

} // namespace numerics

#endif
