// Every function of section 4.17 of the standard that works on elements, on views of a vec and on
// marray, in a kernel and on the host, against the scalar function for each element.
// NVIDIA's compiler for Vulkan takes two minutes for its kernels.
// seconds: 300
// levels: 1
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include "builtin_functions.hpp"
#include "parts.hpp"

namespace {

// In [0.1, 0.9], the common domain of all functions.
template <class T> T number(int seed) {
  if constexpr (std::is_floating_point_v<T>)
    return T(0.1) + T(0.8) * T(seed * 37 % 101) / T(101);
  else
    return static_cast<T>(seed * 2654435761u % 251 - (seed % 3 == 0 ? 100 : 0));
}

// The operands of a function: an array of five, or a view in another order.
template <class T> struct array_operand {
  static constexpr int count = 5;
  template <class Element> using like = sycl::marray<Element, count>;
  template <class Element> using result = sycl::marray<Element, count>;
  using truth = sycl::marray<bool, count>;
  static constexpr int yes = 1;
  template <class Element> static const like<Element> &pass(const like<Element> &x) { return x; }
  template <class Element> static Element at(const like<Element> &x, int i) { return x[std::size_t(i)]; }
};
template <class T> struct view_operand {
  static constexpr int count = 3;
  template <class Element> using like = sycl::vec<Element, 4>;
  template <class Element> using result = sycl::vec<Element, count>;
  using truth = decltype(result<T>() == result<T>());
  static constexpr int yes = -1;
  template <class Element> static auto pass(const like<Element> &x) { return x.wzy(); }
  template <class Element> static Element at(const like<Element> &x, int i) { return x[3 - i]; }
};

template <class Operand, class T> auto operand(int seed) {
  typename Operand::template like<T> result;
  for (int i = 0; i < int(result.size()); ++i)
    result[i] = number<T>(seed + i);
  return result;
}

// Equal, or at most a few units in the last place apart: a loop over elements may be vectorised.
template <class T> bool same(T a, T b) {
  if constexpr (std::is_floating_point_v<T>)
    return a == b || (a != a && b != b) || sycl::fabs(a - b) <= 4 * std::numeric_limits<T>::epsilon() * sycl::fabs(b);
  else
    return a == b;
}

// The names in these macros: Operand, x, y, z, and X, Y and Z for their elements.
#define PASS(v) Operand::pass(v)
#define X Operand::at(x, i)
#define Y Operand::at(y, i)
#define Z Operand::at(z, i)
#define COMPARE(name, type, actual, expected)                                                                       \
  {                                                                                                                  \
    using expected_type = type;                                                                                      \
    using element = typename expected_type::value_type;                                                              \
    const auto r = actual;                                                                                           \
    static_assert(std::is_same_v<decltype(actual), expected_type>, "sycl::" #name " returns another type");          \
    for (int i = 0; i < Operand::count; ++i)                                                                         \
      if (!same<element>(r[i], static_cast<element>(expected)))                                                      \
        return #name;                                                                                                \
  }
#define ELEMENTS(...) IN_TURN COMPARE(__VA_ARGS__)
#define RESULT typename Operand::template result<T>

template <template <class> class Kind, class T, int Part> const char *real_functions() {
  using Operand = Kind<T>;
  using truth = typename Operand::truth;
  using ints = typename Operand::template result<int>;
  const auto x = operand<Operand, T>(1), y = operand<Operand, T>(40), z = operand<Operand, T>(70);
  const auto n = operand<Operand, std::int32_t>(5);
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x)), sycl::name(X))
  MATH_1(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x), PASS(y)), sycl::name(X, Y))
  MATH_2(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x), PASS(y), PASS(z)), sycl::name(X, Y, Z))
  MATH_3(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x), PASS(n)), sycl::name(X, Operand::at(n, i)))
  MATH_INTEGER(CASE)
#undef CASE
#define CASE(name, second)                                                                                           \
  IN_TURN {                                                                                                               \
    typename Operand::template result<second> others;                                                                \
    second other;                                                                                                    \
    COMPARE(name, RESULT, sycl::name(PASS(x), &others), sycl::name(X, &other))                                      \
    sycl::multi_ptr<decltype(others), sycl::access::address_space::private_space> place(&others);                    \
    COMPARE(name, RESULT, sycl::name(PASS(x), place), sycl::name(X, &other))                                        \
    for (int i = 0; i < Operand::count; ++i)                                                                         \
      if (sycl::name(X, &other), !same<second>(others[i], other))                                                    \
        return #name;                                                                                                \
  }
  MATH_POINTER(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, truth, sycl::name(PASS(x)), (sycl::name(X) ? Operand::yes : 0))
  RELATIONAL_1(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, truth, sycl::name(PASS(x), PASS(y)), (sycl::name(X, Y) ? Operand::yes : 0))
  RELATIONAL_2(CASE)
#undef CASE
  ints quotients;
  int quotient;
  ELEMENTS(remquo, RESULT, sycl::remquo(PASS(x), PASS(y), &quotients), sycl::remquo(X, Y, &quotient))
  ELEMENTS(ilogb, ints, sycl::ilogb(PASS(x)), sycl::ilogb(X))
  ELEMENTS(ldexp, RESULT, sycl::ldexp(PASS(x), 3), X * 8)
  ELEMENTS(fmax, RESULT, sycl::fmax(PASS(x), T(0.5)), sycl::fmax(X, T(0.5)))
  ELEMENTS(min, RESULT, sycl::min(PASS(x), T(0.5)), sycl::min(X, T(0.5)))
  ELEMENTS(clamp, RESULT, sycl::clamp(PASS(x), T(0.3), T(0.5)), sycl::clamp(X, T(0.3), T(0.5)))
  ELEMENTS(mix, RESULT, sycl::mix(PASS(x), PASS(y), T(0.3)), sycl::mix(X, Y, T(0.3)))
  ELEMENTS(step, RESULT, sycl::step(T(0.3), PASS(x)), sycl::step(T(0.3), X))
  ELEMENTS(smoothstep, RESULT, sycl::smoothstep(T(0.3), T(0.5), PASS(x)), sycl::smoothstep(T(0.3), T(0.5), X))
  const truth less = sycl::isless(PASS(x), PASS(y));
  ELEMENTS(select, RESULT, sycl::select(PASS(x), PASS(y), less), (less[i] ? Y : X))
  return nullptr;
}

template <template <class> class Kind, int Part> const char *float_functions() {
  using T = float;
  using Operand = Kind<T>;
  const auto x = operand<Operand, T>(1), y = operand<Operand, T>(40);
#define CASE(scope, name) ELEMENTS(scope::name, RESULT, sycl::scope::name(PASS(x)), sycl::scope::name(X))
  FLOAT_1(CASE)
#undef CASE
#define CASE(scope, name)                                                                                            \
  ELEMENTS(scope::name, RESULT, sycl::scope::name(PASS(x), PASS(y)), sycl::scope::name(X, Y))
  FLOAT_2(CASE)
#undef CASE
  return nullptr;
}

template <template <class> class Kind, class T, int Part> const char *integer_functions() {
  using Operand = Kind<T>;
  const auto x = operand<Operand, T>(1), y = operand<Operand, T>(40), z = operand<Operand, T>(70);
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x)), sycl::name(X))
  INTEGER_1(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x), PASS(y)), sycl::name(X, Y))
  INTEGER_2(CASE)
#undef CASE
#define CASE(name) ELEMENTS(name, RESULT, sycl::name(PASS(x), PASS(y), PASS(z)), sycl::name(X, Y, Z))
  INTEGER_3(CASE)
#undef CASE
  ELEMENTS(max, RESULT, sycl::max(PASS(x), T(5)), sycl::max(X, T(5)))
  ELEMENTS(clamp, RESULT, sycl::clamp(PASS(x), T(3), T(9)), sycl::clamp(X, T(3), T(9)))
  if constexpr (sizeof(T) == 4) {
    ELEMENTS(mul24, RESULT, sycl::mul24(PASS(x), PASS(y)), sycl::mul24(X, Y))
    ELEMENTS(mad24, RESULT, sycl::mad24(PASS(x), PASS(y), PASS(z)), sycl::mad24(X, Y, Z))
  }
  if constexpr (sizeof(T) < 8) {
    using low = std::make_unsigned_t<T>;
    using wide = typename Operand::template result<decltype(sycl::upsample(T(), low()))>;
    const auto l = operand<Operand, low>(9);
    ELEMENTS(upsample, wide, sycl::upsample(PASS(x), PASS(l)), sycl::upsample(X, Operand::at(l, i)))
  }
  return nullptr;
}

constexpr int groups = 6;

template <template <class> class Kind, int Part> const char *run(int group) {
  switch (group) {
  case 0:
    return real_functions<Kind, float, Part>();
  case 1:
    return real_functions<Kind, double, Part>();
  case 2:
    return float_functions<Kind, Part>();
  case 3:
    return integer_functions<Kind, std::int8_t, Part>();
  case 4:
    return integer_functions<Kind, std::uint16_t, Part>();
  default:
    return integer_functions<Kind, std::int32_t, Part>();
  }
}

template <template <class> class Kind> void check(sycl::queue &queue, const char *kind) {
  int *wrong = sycl::malloc_shared<int>(groups * parts, queue);
  each_part([&](auto part) {
    constexpr int number = decltype(part)::value;
    int *mine = wrong + groups * number;
    queue.single_task([=] { mine[0] = run<Kind, number>(0) != nullptr; });
    queue.single_task([=] { mine[1] = run<Kind, number>(1) != nullptr; });
    queue.single_task([=] { mine[2] = run<Kind, number>(2) != nullptr; });
    queue.single_task([=] { mine[3] = run<Kind, number>(3) != nullptr; });
    queue.single_task([=] { mine[4] = run<Kind, number>(4) != nullptr; });
    queue.single_task([=] { mine[5] = run<Kind, number>(5) != nullptr; });
  });
  queue.wait();
  for (int i = 0; i < groups * parts; ++i)
    if (wrong[i]) {
      std::printf("%s, group %d, part %d: a function differs in a kernel\n", kind, i % groups, i / groups);
      std::exit(1);
    }
  for (int i = 0; i < groups; ++i)
    if (const char *failed = run<Kind, whole>(i)) {
      std::printf("%s, group %d: %s differs\n", kind, i, failed);
      std::exit(1);
    }
  sycl::free(wrong, queue);
}

} // namespace

int main() {
  sycl::queue queue;
#ifndef FEWER_INSTANCES
  check<array_operand>(queue, "marray");
#endif
  check<view_operand>(queue, "views");
  return pass();
}
