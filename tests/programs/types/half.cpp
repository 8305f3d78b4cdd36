// half: conversions and unary operations on all values, binary operations on pairs of all values
// with others, by bits against a reference; on the device and in host code.
// levels: 0 2
// standards: c++17 c++20
#include "short_floats.hpp"

#include <sstream>

using sycl::half;

namespace {

constexpr int fraction = 10;

half from_bits(int i) { return sycl::bit_cast<half>(static_cast<std::uint16_t>(i)); }
double value(int i) { return value_of(static_cast<std::uint16_t>(i), fraction); }

// Constant expressions.
constexpr half three = 3, quarter = 0.25;
static_assert(three * quarter == 0.75f && three + 1 == 4 && 1.0 / three == 1.0 / 3.0 && -three < quarter);
static_assert(half(1.0 + 0x1p-11 + 0x1p-40) == half(1 + 0x1p-10f), "double is rounded once");
static_assert(half(1.0 + 0x1p-11) == half(1), "ties go to even");
static_assert(half(65519.996f) == std::numeric_limits<half>::max());
static_assert(half(65520) == std::numeric_limits<half>::infinity());
static_assert(half(-70000ll) < std::numeric_limits<half>::lowest());
static_assert(half(0x1p-25f) == 0 && half(0x1.8p-25f) == std::numeric_limits<half>::denorm_min());
static_assert(sizeof(half) == 2 && alignof(half) == 2 && std::is_trivially_copyable_v<half>);
static_assert(sycl::is_device_copyable_v<half> && std::is_trivially_default_constructible_v<half>);
static_assert(std::is_same_v<decltype(three + three), half> && std::is_same_v<decltype(three * 2u), half>);
static_assert(std::is_same_v<decltype(three + 1.0f), float> && std::is_same_v<decltype(1.0 - three), double>);
static_assert(std::is_same_v<sycl::half4, sycl::vec<half, 4>> && std::is_same_v<sycl::opencl::cl_half, half>);
static_assert(std::numeric_limits<half>::digits == 11 && std::numeric_limits<half>::is_iec559);

void conversions(sycl::queue &queue) {
  for_all<float>(queue, [](int i) { return static_cast<float>(from_bits(i)); },
                 [](int i, float result, const char *where) {
                   expect(same(result, value(i)), "float(half)", where, value(i), 0, result, value(i));
                 });
  // The middle between two halfs, and the double and the float behind it.
  for (int step = -1; step <= 1; ++step) {
    const auto middle = [](int i) {
      const float x = from_bits(i), y = from_bits(i + 1);
      return i == 0x7bff || i == 0xfbff ? (x < 0 ? -65520.0f : 65520.0f) : x + (y - x) / 2;
    };
    const auto near = [=](int i) { return sycl::bit_cast<float>(sycl::bit_cast<std::int32_t>(middle(i)) + step); };
    for_all<half>(queue, [=](int i) { return half(near(i)); }, [=](int i, half result, const char *where) {
      const double wanted = rounded(near(i), fraction);
      if ((i & 0x7fff) < 0x7c00)
        expect(same(result, wanted), "half(float)", where, near(i), 0, result, wanted);
    });
    if (!queue.get_device().has(sycl::aspect::fp64))
      continue;
    const auto close = [=](int i) {
      return sycl::bit_cast<double>(sycl::bit_cast<std::int64_t>(static_cast<double>(middle(i))) + step);
    };
    for_all<half>(queue, [=](int i) { return half(close(i)); }, [=](int i, half result, const char *where) {
      const double wanted = rounded(close(i), fraction);
      if ((i & 0x7fff) < 0x7c00)
        expect(same(result, wanted), "half(double)", where, close(i), 0, result, wanted);
    });
  }
  for_all<half>(queue, [](int i) { return half(i * 3 - 70000); }, [](int i, half result, const char *where) {
    expect(same(result, rounded(i * 3 - 70000, fraction)), "half(int)", where, i * 3 - 70000, 0, result, 0);
  });
  for_all<half>(queue, [](int i) { return half(static_cast<unsigned long>(i) << 40); },
                [](int i, half result, const char *where) {
                  expect(result == (i == 0 ? 0.0f : HUGE_VALF), "half(unsigned long)", where, i, 0, result, HUGE_VAL);
                });
  const auto truncated = [](int i) {
    const half x = from_bits(i);
    return x > -65505.0f && x < 65505.0f ? static_cast<int>(x) : 0;
  };
  for_all<int>(queue, truncated, [](int i, int result, const char *where) {
    const int wanted = std::isfinite(value(i)) ? static_cast<int>(value(i)) : 0;
    expect(result == wanted, "int(half)", where, value(i), 0, result, wanted);
  });
}

#define UNARY(expression, reference)                                                                                 \
  for_all<half>(queue, [](int i) -> half { half x = from_bits(i); return expression; },                        \
                [](int i, half result, const char *where) {                                                          \
    const double x = value(i), wanted = rounded(reference, fraction);                                                \
    expect(same(result, wanted), #expression, where, x, 0, result, wanted);                                          \
  })
void unary(sycl::queue &queue) {
  UNARY(-x, -x);
  UNARY(+x, x);
  UNARY(x++, x);
  UNARY(++x, x + 1);
  UNARY(--x, x - 1);
  UNARY(sycl::fabs(x), std::fabs(x));
  UNARY(sycl::abs(x), std::fabs(x));
  UNARY(sycl::sqrt(x), std::sqrt(x));
  UNARY(sycl::floor(x), std::floor(x));
  UNARY(sycl::ceil(x), std::ceil(x));
  UNARY(sycl::trunc(x), std::trunc(x));
  UNARY(sycl::rint(x), std::rint(x));
  UNARY(sycl::round(x), std::round(x));
  UNARY(sycl::ldexp(x, 3), std::ldexp(x, 3));
  UNARY(sycl::ldexp(x, -20), std::ldexp(x, -20));
  UNARY(sycl::logb(x), std::logb(x));
  UNARY(sycl::isnan(x), std::isnan(x));
  UNARY(sycl::isinf(x), std::isinf(x));
  UNARY(sycl::isfinite(x), std::isfinite(x));
  UNARY(sycl::signbit(x), x != x ? i >= 0x8000 : std::signbit(x));
  UNARY(sycl::isnormal(x), std::isfinite(x) && std::fabs(x) >= 0x1p-14);
  UNARY(sycl::nextafter(x, half(HUGE_VALF)),
        x == HUGE_VAL || x != x ? x
                                : value_of(static_cast<std::uint16_t>(x == 0 ? 1 : x < 0 ? i - 1 : i + 1), fraction));
}

#define BINARY(expression, reference)                                                                                \
  for_all<half>(queue, [=](int i) -> half {                                                                          \
    [[maybe_unused]] half x = from_bits(i);                                                                          \
    [[maybe_unused]] const half y = from_bits(partner(i, round)), z = from_bits(partner(i, round + 7));              \
    return expression;                                                                                               \
  }, [=](int i, half result, const char *where) {                                                                    \
    const double x = value(i), y = value(partner(i, round));                                                         \
    [[maybe_unused]] const double z = value(partner(i, round + 7));                                                  \
    const double wanted = rounded(reference, fraction);                                                              \
    expect(same(result, wanted), #expression, where, x, y, result, wanted);                                          \
  })
void binary(sycl::queue &queue, int round) {
  BINARY(x + y, x + y);
  BINARY(x - y, x - y);
  BINARY(x * y, x * y);
  BINARY(x / y, x / y);
  BINARY(x + 3, x + 3);
  BINARY(x += y, x + y);
  BINARY(x *= 0.5, x * 0.5);
  BINARY((x < y) + 2 * (x <= y) + 4 * (x == y), (x < y) + 2 * (x <= y) + 4 * (x == y));
  BINARY((x > y) + 2 * (x >= y) + 4 * (x != y), (x > y) + 2 * (x >= y) + 4 * (x != y));
  BINARY(sycl::fma(x, y, z), x * y + z);
  BINARY(sycl::copysign(x, y), std::copysign(x, partner(i, round) >= 0x8000 ? -1.0 : 1.0));
  BINARY(sycl::fmod(x, y), std::fmod(x, y));
  BINARY(sycl::fdim(x, y), std::fdim(x, y));
  BINARY(sycl::fmin(x, y) + 0.0f, std::fmin(x, y) + 0.0);
  BINARY(sycl::fmax(x, y) + 0.0f, std::fmax(x, y) + 0.0);
  BINARY(sycl::isless(x, y) + 2 * sycl::isunordered(x, y), (x < y) + 2 * (std::isnan(x) || std::isnan(y)));
}

struct Mixed {
  half first;
  char letter;
  half second[3];
};

// Captures, members, vectors, parts of results, and what host code has besides.
void the_rest(sycl::queue &queue) {
  half *out = sycl::malloc_shared<half>(32, queue);
  int *counts = sycl::malloc_shared<int>(4, queue);
  const Mixed mixed = {1.5f, 'c', {half(2), half(-3), half(0.125f)}};
  const half alone = 7;
  const sycl::half2 pair(half(1), half(2));
  queue.single_task([=] {
    out[0] = mixed.first * mixed.second[1] + alone;
    out[1] = sycl::frexp(half(12), &counts[0]);
    out[2] = sycl::fract(half(-0x1p-20f), &out[3]);
    out[4] = sycl::modf(half(-2.75f), &out[5]);
    out[6] = sycl::remquo(half(7), half(2), &counts[1]);
    counts[2] = sycl::ilogb(half(0x1p-20f));
    const sycl::half2 sum = pair * half(3) + sycl::half2(half(0.5f));
    out[7] = sum[0];
    out[8] = sycl::dot(sum, pair);
    out[9] = sycl::length(sycl::half4(half(300), half(400), half(0), half(0)));
    out[10] = sycl::clamp(half(9), half(1), half(4)) + sycl::min(half(1), half(2)) + sycl::max(half(1), half(2));
    out[11] = sycl::mix(half(1), half(3), half(0.25f)) + sycl::step(half(1), half(2)) + sycl::sign(half(-4));
    out[12] = sycl::select(half(1), half(2), true) + sycl::bitselect(half(1), half(-2), half(-0.0f));
    const auto masks = sycl::half4(half(1), half(NAN), half(3), half(4)) < half(3.5f);
    counts[3] = masks[0] + 10 * masks[1] + 100 * masks[2] + 1000 * masks[3];
    const auto roots = sycl::sqrt(sycl::half4(half(4), half(9), half(16), half(25)));
    out[13] = roots[0] + roots[1] * roots[2] - roots[3];
    out[14] = sycl::vec<float, 2>(1.1f, 2.3f).convert<half>()[1];
    out[15] = sycl::nan(std::uint16_t(5));
    out[16] = sycl::distance(sycl::half2(half(300), half(0)), sycl::half2(half(0), half(400)));
    out[17] = sycl::normalize(sycl::half2(half(300), half(400)))[1] + sycl::normalize(half(-7));
  }).wait();
  CHECK(out[0] == 2.5f && out[1] == 0.75f && counts[0] == 4);
  CHECK(out[2] == 0x1.ffcp-1f && out[3] == -1 && out[4] == -0.75f && out[5] == -2);
  CHECK(out[6] == -1 && counts[1] == 4 && counts[2] == -20);
  CHECK(out[7] == 3.5f && out[8] == 3.5f + 13 && out[9] == 500 && out[10] == 7);
  CHECK(out[11] == 1.5f && out[12] == 1 && counts[3] == -101 && out[13] == 9);
  CHECK(out[14] == half(2.3f) && std::isnan(static_cast<float>(out[15])));

  CHECK(out[16] == 500 && out[17] == half(half(0.8f) - 1));

  std::stringstream stream("2.5");
  half read = 0;
  stream >> read;
  std::ostringstream written;
  written << read;
  CHECK(read == 2.5f && written.str() == "2.5");
  CHECK(std::hash<half>()(half(0.0f)) == std::hash<half>()(half(-0.0f)));
  CHECK(half(0.1L) == half(0.1) && half(true) == 1 && read);
  float number = 2.5f;
  CHECK(half(std::ref(number)) == 2.5f);
  sycl::free(out, queue);
  sycl::free(counts, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  conversions(queue);
  unary(queue);
  for (int round = 0; round < 2; ++round)
    binary(queue, round);
  the_rest(queue);
  return pass();
}
