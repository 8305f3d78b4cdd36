// vec::convert with every rounding mode between all types of numbers, in kernels and on the host,
// against exact integer arithmetic.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cmath>
#include <limits>

#include "../check.hpp"

namespace {

using sycl::rounding_mode;
constexpr rounding_mode modes[] = {rounding_mode::automatic, rounding_mode::rte, rounding_mode::rtz,
                                   rounding_mode::rtp, rounding_mode::rtn};
constexpr int count = 24;

// Numbers around the limits of integers and of the precision of float and double. They fit T.
template <class T> void fill(T *numbers) {
  const long double middles[count] = {0.5L,        1.5L,         2.5L,          -0.5L,           -1.5L,
                                      -2.5L,       0.25L,        -0.75L,        100.625L,        -100.625L,
                                      126.5L,      -127.5L,      16777217.0L,   16777219.0L,     -16777219.0L,
                                      33554435.0L, 2147483520.L, -2147483648.L, 4294967040.0L,   9007199254740993.0L,
                                      9007199254740995.0L, -9007199254740995.0L, 9223372036854774784.0L, 1e-30L};
  for (int i = 0; i < count; ++i) {
    const long double lowest = std::numeric_limits<T>::lowest(), highest = std::numeric_limits<T>::max();
    const long double x = middles[i];
    numbers[i] = x < lowest ? std::numeric_limits<T>::lowest() : x > highest ? std::numeric_limits<T>::max() : T(x);
  }
}

// The integer that a mode makes of an exact number.
long double whole(long double x, rounding_mode mode) {
  switch (mode) {
  case rounding_mode::rtz:
    return std::trunc(x);
  case rounding_mode::rtp:
    return std::ceil(x);
  case rounding_mode::rtn:
    return std::floor(x);
  default:
    return std::nearbyint(x);
  }
}

// The number of type T that a mode makes of an exact one, which long double holds.
template <class T> T rounded(long double x, rounding_mode mode) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(whole(x, mode));
  } else {
    const T near = static_cast<T>(x);
    const bool up = mode == rounding_mode::rtp || (mode == rounding_mode::rtz && x < 0);
    const bool down = mode == rounding_mode::rtn || (mode == rounding_mode::rtz && x > 0);
    if (up && near < x)
      return std::nextafter(near, std::numeric_limits<T>::infinity());
    return down && near > x ? std::nextafter(near, -std::numeric_limits<T>::infinity()) : near;
  }
}

template <class To, class From> bool fits(From x, rounding_mode mode) {
  if constexpr (std::is_integral_v<To>) {
    const long double exact = whole(x, mode);
    return exact >= std::numeric_limits<To>::lowest() && exact <= std::numeric_limits<To>::max();
  } else {
    return true;
  }
}

template <class To, class From, rounding_mode Mode> void convert(const From *from, To *to) {
  for (int i = 0; i < count; i += 2) {
    const sycl::vec<To, 2> pair = sycl::vec<From, 2>(from[i], from[i + 1]).template convert<To, Mode>();
    to[i] = pair[0];
    to[i + 1] = pair[1];
  }
}

template <class To, class From> void all_modes(const From *from, To *to) {
  convert<To, From, modes[0]>(from, to);
  convert<To, From, modes[1]>(from, to + count);
  convert<To, From, modes[2]>(from, to + 2 * count);
  convert<To, From, modes[3]>(from, to + 3 * count);
  convert<To, From, modes[4]>(from, to + 4 * count);
}

template <class To, class From> void compare(const From *from, const To *to, const char *where) {
  for (int m = 0; m < 5; ++m)
    for (int i = 0; i < count; ++i) {
      const From x = from[i];
      // From integers to integers nothing is rounded, and the upper bits are dropped.
      const bool wraps = std::is_integral_v<From> && std::is_integral_v<To>;
      if (!wraps && !fits<To>(x, modes[m]))
        continue;
      const To expected = wraps ? static_cast<To>(x) : rounded<To>(x, modes[m]);
      if (to[m * count + i] != expected) {
        std::printf("%s: %.20Lg in mode %d is %.20Lg, not %.20Lg\n", where, static_cast<long double>(x), m,
                    static_cast<long double>(to[m * count + i]), static_cast<long double>(expected));
        std::exit(1);
      }
    }
}

template <class To, class From> void check(sycl::queue &queue) {
  From *from = sycl::malloc_shared<From>(count, queue);
  To *to = sycl::malloc_shared<To>(5 * count, queue), host[5 * count];
  fill(from);
  // Out of their range the results are undefined.
  for (int i = 0; i < count; ++i)
    if (!std::is_integral_v<From> && !(fits<To>(from[i], rounding_mode::rtp) && fits<To>(from[i], rounding_mode::rtn)))
      from[i] = From(1);
  queue.single_task([=] { all_modes<To, From>(from, to); }).wait();
  all_modes<To, From>(from, host);
  compare<To, From>(from, to, "in a kernel");
  compare<To, From>(from, host, "on the host");
  sycl::free(from, queue);
  sycl::free(to, queue);
}

template <class From> void check_from(sycl::queue &queue) {
  check<std::int8_t, From>(queue);
  check<std::uint16_t, From>(queue);
  check<std::int32_t, From>(queue);
  check<std::uint32_t, From>(queue);
  check<std::int64_t, From>(queue);
  check<std::uint64_t, From>(queue);
  check<float, From>(queue);
  check<double, From>(queue);
}

// Numbers that round to infinity, to zero and to the smallest ones.
void check_extremes() {
  constexpr rounding_mode up = rounding_mode::rtp, down = rounding_mode::rtn, zero = rounding_mode::rtz;
  const float most = std::numeric_limits<float>::max(), least = std::numeric_limits<float>::denorm_min();
  const float infinity = std::numeric_limits<float>::infinity();
  const sycl::double4 x(1e300, -1e300, 1e-300, -1e-300);
  const sycl::float4 upwards = x.convert<float, up>(), downwards = x.convert<float, down>();
  const sycl::float4 inwards = x.convert<float, zero>(), nearest = x.convert<float>();
  CHECK(upwards[0] == infinity && upwards[1] == -most && upwards[2] == least && upwards[3] == 0);
  CHECK(downwards[0] == most && downwards[1] == -infinity && downwards[2] == 0 && downwards[3] == -least);
  CHECK(inwards[0] == most && inwards[1] == -most && inwards[2] == 0 && inwards[3] == 0);
  CHECK(nearest[0] == infinity && nearest[1] == -infinity && nearest[2] == 0 && nearest[3] == 0);
  const sycl::ulong2 y(~std::uint64_t(0), 1);
  CHECK((y.convert<float, up>()[0] == 0x1p64f && y.convert<float, zero>()[0] == 0x1.fffffep63f));
  CHECK((y.convert<double, down>()[0] == 0x1.fffffffffffffp63 && y.convert<double>()[0] == 0x1p64));
  const sycl::double2 nan(std::numeric_limits<double>::quiet_NaN());
  CHECK(std::isnan(nan.convert<float, up>()[0]) && std::isnan(nan.convert<float>()[0]));
  CHECK((sycl::float2(0.25f, 0).convert<bool>()[0] && !sycl::float2(0.25f, 0).convert<bool>()[1]));
}

} // namespace

int main() {
  sycl::queue queue;
  check_from<std::int8_t>(queue);
  check_from<std::uint8_t>(queue);
  check_from<std::int16_t>(queue);
  check_from<std::int32_t>(queue);
  check_from<std::uint32_t>(queue);
  check_from<std::int64_t>(queue);
  check_from<std::uint64_t>(queue);
  check_from<float>(queue);
  check_from<double>(queue);
  check_extremes();
  return pass();
}
