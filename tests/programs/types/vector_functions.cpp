// Every function of section 4.17 of the standard on vec of each length equals the scalar function
// for each element. In host code, and for float4 and int3 in a kernel too.
// levels: 1
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include "builtin_functions.hpp"
#include "parts.hpp"

namespace {

// In [0.1, 0.9], the common domain of all functions.
template <class T> T real(int seed) { return T(0.1) + T(0.8) * T(seed * 37 % 101) / T(101); }
template <class T> T integer(int seed) { return static_cast<T>(seed * 2654435761u % 251 - (seed % 3 == 0 ? 100 : 0)); }

template <class T, int C> sycl::vec<T, C> numbers(int seed) {
  sycl::vec<T, C> result;
  for (int i = 0; i < C; ++i)
    if constexpr (std::is_floating_point_v<T>)
      result[i] = real<T>(seed + i);
    else
      result[i] = integer<T>(seed + i);
  return result;
}

// Bitwise equal, or at most two units in the last place apart: a loop over elements may be
// vectorised.
template <class T> bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a == b || (a != a && b != b) || sycl::fabs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * sycl::fabs(b);
  else
    return a == b;
}

#define ELEMENTS(name, actual, expected)                                                                             \
  for (int i = 0; i < C; ++i)                                                                                        \
    if (!same<std::decay_t<decltype((actual)[i])>>((actual)[i], (expected)))                                         \
      return #name;

template <class T, int C, int Part> const char *real_functions() {
  const auto x = numbers<T, C>(1), y = numbers<T, C>(40), z = numbers<T, C>(70);
  const auto n = numbers<std::int32_t, C>(5);
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x); ELEMENTS(name, r, sycl::name(x[i])) }
  MATH_1(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x, y); ELEMENTS(name, r, sycl::name(x[i], y[i])) }
  MATH_2(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x, y, z); ELEMENTS(name, r, sycl::name(x[i], y[i], z[i])) }
  MATH_3(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x, n); ELEMENTS(name, r, sycl::name(x[i], n[i])) }
  MATH_INTEGER(CASE)
#undef CASE
#define CASE(name, second)                                                                                           \
  IN_TURN {                                                                                                          \
    sycl::vec<second, C> others;                                                                                     \
    second other;                                                                                                    \
    const sycl::vec<T, C> r = sycl::name(x, &others);                                                                \
    ELEMENTS(name, r, sycl::name(x[i], &other))                                                                      \
    ELEMENTS(name, others, (sycl::name(x[i], &other), other))                                                        \
  }
  MATH_POINTER(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const auto r = sycl::name(x); ELEMENTS(name, r, (sycl::name(x[i]) ? -1 : 0)) }
  RELATIONAL_1(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const auto r = sycl::name(x, y); ELEMENTS(name, r, (sycl::name(x[i], y[i]) ? -1 : 0)) }
  RELATIONAL_2(CASE)
#undef CASE
  sycl::vec<std::int32_t, C> quotients;
  std::int32_t quotient;
  const sycl::vec<T, C> rest = sycl::remquo(x * T(9), y, &quotients);
  IN_TURN ELEMENTS(remquo, rest, sycl::remquo(x[i] * T(9), y[i], &quotient))
  IN_TURN ELEMENTS(remquo, quotients, (sycl::remquo(x[i] * T(9), y[i], &quotient), quotient))
  IN_TURN ELEMENTS(ilogb, sycl::ilogb(x), sycl::ilogb(x[i]))
  IN_TURN ELEMENTS(ldexp, sycl::ldexp(x, 3), x[i] * T(8))
  IN_TURN ELEMENTS(fmax, sycl::fmax(x, T(0.5)), sycl::fmax(x[i], T(0.5)))
  IN_TURN ELEMENTS(fmin, sycl::fmin(x, T(0.5)), sycl::fmin(x[i], T(0.5)))
  IN_TURN ELEMENTS(max, sycl::max(x, T(0.5)), sycl::max(x[i], T(0.5)))
  IN_TURN ELEMENTS(min, sycl::min(x, T(0.5)), sycl::min(x[i], T(0.5)))
  IN_TURN ELEMENTS(clamp, sycl::clamp(x, T(0.3), T(0.5)), sycl::clamp(x[i], T(0.3), T(0.5)))
  IN_TURN ELEMENTS(mix, sycl::mix(x, y, T(0.3)), sycl::mix(x[i], y[i], T(0.3)))
  IN_TURN ELEMENTS(step, sycl::step(T(0.3), x), sycl::step(T(0.3), x[i]))
  IN_TURN ELEMENTS(smoothstep, sycl::smoothstep(T(0.3), T(0.5), x), sycl::smoothstep(T(0.3), T(0.5), x[i]))
  using code = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const sycl::vec<T, C> nans = sycl::nan(sycl::vec<code, C>(code(5)));
  IN_TURN ELEMENTS(nan, nans, std::numeric_limits<T>::quiet_NaN())
  const auto choice = sycl::isless(x, y);
  IN_TURN ELEMENTS(select, sycl::select(x, y, choice), sycl::select(x[i], y[i], choice[i] < 0))
  IN_TURN ELEMENTS(select, sycl::select(x, y, choice.template convert<code>()), sycl::select(x[i], y[i], choice[i] < 0))
  return nullptr;
}

template <int C, int Part> const char *float_functions() {
  const auto x = numbers<float, C>(1), y = numbers<float, C>(40);
#define CASE(scope, name)                                                                                            \
  IN_TURN { const sycl::vec<float, C> r = sycl::scope::name(x); ELEMENTS(scope::name, r, sycl::scope::name(x[i])) }
  FLOAT_1(CASE)
#undef CASE
#define CASE(scope, name)                                                                                            \
  IN_TURN {                                                                                                          \
    const sycl::vec<float, C> r = sycl::scope::name(x, y);                                                           \
    ELEMENTS(scope::name, r, sycl::scope::name(x[i], y[i]))                                                          \
  }
  FLOAT_2(CASE)
#undef CASE
  return nullptr;
}

template <class T, int C, int Part> const char *integer_functions() {
  const auto x = numbers<T, C>(1), y = numbers<T, C>(40), z = numbers<T, C>(70);
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x); ELEMENTS(name, r, sycl::name(x[i])) }
  INTEGER_1(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x, y); ELEMENTS(name, r, sycl::name(x[i], y[i])) }
  INTEGER_2(CASE)
#undef CASE
#define CASE(name)                                                                                                   \
  IN_TURN { const sycl::vec<T, C> r = sycl::name(x, y, z); ELEMENTS(name, r, sycl::name(x[i], y[i], z[i])) }
  INTEGER_3(CASE)
#undef CASE
  IN_TURN ELEMENTS(max, sycl::max(x, T(5)), sycl::max(x[i], T(5)))
  IN_TURN ELEMENTS(min, sycl::min(x, T(5)), sycl::min(x[i], T(5)))
  IN_TURN ELEMENTS(clamp, sycl::clamp(x, T(3), T(9)), sycl::clamp(x[i], T(3), T(9)))
  if constexpr (sizeof(T) == 4) {
    IN_TURN ELEMENTS(mul24, sycl::mul24(x, y), sycl::mul24(x[i], y[i]))
    IN_TURN ELEMENTS(mad24, sycl::mad24(x, y, z), sycl::mad24(x[i], y[i], z[i]))
  }
  if constexpr (sizeof(T) < 8) {
    const auto low = y.template convert<std::make_unsigned_t<T>>();
    IN_TURN ELEMENTS(upsample, sycl::upsample(x, low), sycl::upsample(x[i], low[i]))
  }
  return nullptr;
}

template <class T, int C> int votes() {
  sycl::vec<T, C> x(T(1));
  int wrong = sycl::any(x) + sycl::all(x);
  x[C - 1] = -1;
  wrong += 1 - sycl::any(x) + (C > 1 ? sycl::all(x) : 0);
  return wrong + 1 - sycl::all(sycl::vec<T, C>(T(-3)));
}

void check(const char *failed, const char *what, int count) {
  if (!failed)
    return;
  std::printf("sycl::%s differs for %d elements of %s\n", failed, count, what);
  std::exit(1);
}

template <int C> void check_length() {
  check(real_functions<float, C, whole>(), "float", C);
  check(real_functions<double, C, whole>(), "double", C);
  check(float_functions<C, whole>(), "float", C);
  check(integer_functions<std::int8_t, C, whole>(), "int8_t", C);
  check(integer_functions<std::uint16_t, C, whole>(), "uint16_t", C);
  check(integer_functions<std::int32_t, C, whole>(), "int32_t", C);
  check(integer_functions<std::uint32_t, C, whole>(), "uint32_t", C);
  check(integer_functions<std::int64_t, C, whole>(), "int64_t", C);
  check(integer_functions<std::uint64_t, C, whole>(), "uint64_t", C);
  CHECK_EQUAL((votes<std::int8_t, C>() + votes<std::int64_t, C>()), 0);
}

void check_in_kernel() {
  sycl::queue queue;
  int *failed = sycl::malloc_shared<int>(3 * parts, queue);
  each_part([&](auto part) {
    constexpr int number = decltype(part)::value;
    int *mine = failed + 3 * number;
    queue.single_task([=] { mine[0] = real_functions<float, 4, number>() != nullptr; });
    queue.single_task([=] { mine[1] = float_functions<4, number>() != nullptr; });
    queue.single_task([=] { mine[2] = integer_functions<std::int32_t, 3, number>() != nullptr; });
  });
  queue.wait();
  for (int i = 0; i < 3 * parts; ++i)
    CHECK_EQUAL(failed[i] != 0 ? i : -1, -1);
  sycl::free(failed, queue);
}

} // namespace

int main() {
  check_length<1>();
  check_length<2>();
  check_length<3>();
  check_length<4>();
  check_length<8>();
  check_length<16>();
  check_in_kernel();
  return pass();
}
