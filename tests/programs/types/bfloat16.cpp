// bfloat16: conversions and unary operations on all values, binary operations on pairs of all
// values with others, by bits against a reference; on the device and in host code.
// levels: 0 2
// standards: c++17 c++20
#include "short_floats.hpp"

#include <sstream>
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/ext/oneapi/experimental/bfloat16_math.hpp>

using sycl::half;
using sycl::ext::oneapi::bfloat16;
namespace ext = sycl::ext::oneapi::experimental;

namespace {

constexpr int fraction = 7;

bfloat16 from_bits(int i) { return sycl::bit_cast<bfloat16>(static_cast<std::uint16_t>(i)); }
double value(int i) { return value_of(static_cast<std::uint16_t>(i), fraction); }

// A sum that is not exact in double becomes odd, so that it is not in the middle of two bfloat16.
double sum_to_odd(double x, double y) {
  const double sum = x + y, part = sum - x, error = (x - (sum - part)) + (y - part);
  const bool is_odd = sycl::bit_cast<std::uint64_t>(sum) % 2 != 0;
  return is_odd || !(error > 0 || error < 0) ? sum : std::nextafter(sum, error * HUGE_VAL);
}

// Constant expressions.
constexpr bfloat16 three = 3, quarter = 0.25;
static_assert(three * quarter == 0.75f && three + 1 == 4 && -three < quarter && half(three) == 3);
static_assert(bfloat16(1.0 + 0x1p-8 + 0x1p-40) == bfloat16(1 + 0x1p-7f), "double is rounded once");
static_assert(bfloat16((1ll << 56) + (1ll << 48) + 1) == bfloat16(0x1.02p56f), "integers are rounded once");
static_assert(bfloat16(1.0 + 0x1p-8) == bfloat16(1), "ties go to even");
static_assert(sizeof(bfloat16) == 2 && alignof(bfloat16) == 2 && std::is_trivially_copyable_v<bfloat16>);
static_assert(sycl::is_device_copyable_v<bfloat16> && std::is_trivially_default_constructible_v<bfloat16>);
static_assert(std::is_same_v<decltype(three + 1.0), bfloat16> && std::is_same_v<decltype(half(1) + three), bfloat16>);
static_assert(std::numeric_limits<bfloat16>::digits == 8 && std::numeric_limits<bfloat16>::max() == 0x1.fep127f);

void conversions(sycl::queue &queue) {
  for_all<float>(queue, [](int i) { return static_cast<float>(from_bits(i)); },
                 [](int i, float result, const char *where) {
                   expect(same(result, value(i)), "float(bfloat16)", where, value(i), 0, result, value(i));
                 });
  // The middle between two values, and the double and the float behind it.
  for (int step = -1; step <= 1; ++step) {
    const auto near = [=](int i) {
      return sycl::bit_cast<float>(static_cast<std::int32_t>((static_cast<std::uint32_t>(i) << 16 | 0x8000u)) + step);
    };
    for_all<bfloat16>(queue, [=](int i) { return bfloat16(near(i)); }, [=](int i, bfloat16 result, const char *where) {
      const double wanted = rounded(near(i), fraction);
      expect(same(result, wanted), "bfloat16(float)", where, near(i), 0, result, wanted);
    });
    if (!queue.get_device().has(sycl::aspect::fp64))
      continue;
    // A double that was never a subnormal float, which a device may take for zero.
    const auto close = [=](int i) {
      const std::uint32_t bits = static_cast<std::uint32_t>(i) << 16 | 0x8000u, size = bits & 0x7fffffffu;
      const double large = sycl::bit_cast<float>(size), middle = size < 0x800000u ? size * 0x1p-149 : large;
      return sycl::bit_cast<double>(sycl::bit_cast<std::int64_t>(bits == size ? middle : -middle) + step);
    };
    for_all<bfloat16>(queue, [=](int i) { return bfloat16(close(i)); },
                      [=](int i, bfloat16 result, const char *where) {
                        const double wanted = rounded(close(i), fraction);
                        expect(same(result, wanted), "bfloat16(double)", where, close(i), 0, result, wanted);
                      });
  }
  const auto wide = [](int i) { return (static_cast<long long>(i) - 30000) * 0x10001010101ll + (i & 1); };
  for_all<bfloat16>(queue, [=](int i) { return bfloat16(wide(i)); }, [=](int i, bfloat16 result, const char *where) {
    // The reference of so wide a number is off only if it is close to a tie.
    const double wanted = rounded(static_cast<double>(wide(i)), fraction);
    expect(same(result, wanted), "bfloat16(long long)", where, i, 0, result, wanted);
  });
  for_all<half>(queue, [](int i) { return static_cast<half>(from_bits(i)); },
                [](int i, half result, const char *where) {
                  expect(same(result, rounded(value(i), 10)), "half(bfloat16)", where, value(i), 0, result, 0);
                });
  for_all<bfloat16>(queue, [](int i) { return bfloat16(sycl::bit_cast<half>(static_cast<std::uint16_t>(i))); },
                    [](int i, bfloat16 result, const char *where) {
                      const double x = value_of(static_cast<std::uint16_t>(i), 10);
                      expect(same(result, rounded(x, fraction)), "bfloat16(half)", where, x, 0, result, 0);
                    });
}

#define UNARY(expression, reference)                                                                                 \
  for_all<bfloat16>(queue, [](int i) -> bfloat16 { bfloat16 x = from_bits(i); return expression; },                  \
                    [](int i, bfloat16 result, const char *where) {                                                  \
    const double x = value(i), wanted = rounded(reference, fraction);                                                \
    expect(same(result, wanted), #expression, where, x, 0, result, wanted);                                          \
  })
void unary(sycl::queue &queue) {
  UNARY(-x, -x);
  UNARY(x++, x);
  UNARY(++x, x + 1);
  UNARY(--x, x - 1);
  UNARY(ext::fabs(x), std::fabs(x));
  UNARY(ext::sqrt(x), std::sqrt(x));
  UNARY(ext::floor(x), std::floor(x));
  UNARY(ext::ceil(x), std::ceil(x));
  UNARY(ext::trunc(x), std::trunc(x));
  UNARY(ext::rint(x), std::rint(x));
  UNARY(ext::isnan(x), std::isnan(x));
  UNARY(static_cast<bool>(x), x != 0);
}

// A result may have been rounded to float first where float is subnormal.
bool rounds_to(double result, double exact) {
  return same(result, rounded(exact, fraction)) ||
         (std::fabs(exact) < 0x1p-126 && same(result, rounded(static_cast<float>(exact), fraction)));
}

#define BINARY(expression, reference)                                                                                \
  for_all<bfloat16>(queue, [=](int i) -> bfloat16 {                                                                  \
    bfloat16 x = from_bits(i);                                                                                       \
    const bfloat16 y = from_bits(partner(i, round));                                                                 \
    return expression;                                                                                               \
  }, [=](int i, bfloat16 result, const char *where) {                                                                \
    const double x = value(i), y = value(partner(i, round));                                                         \
    const double exact = reference;                                                                                  \
    expect(rounds_to(result, exact), #expression, where, x, y, result, rounded(exact, fraction));          \
  })
void binary(sycl::queue &queue, int round) {
  BINARY(x + y, x + y);
  BINARY(x - y, x - y);
  BINARY(x * y, x * y);
  BINARY(x / y, x / y);
  BINARY(x += y, x + y);
  BINARY(x *= y, x * y);
  BINARY((x < y) + 2 * (x <= y) + 4 * (x == y), (x < y) + 2 * (x <= y) + 4 * (x == y));
  BINARY((x > y) + 2 * (x >= y) + 4 * (x != y), (x > y) + 2 * (x >= y) + 4 * (x != y));
  BINARY(ext::fmin(x, y) + 0.0f, std::fmin(x, y) + 0.0);
  BINARY(ext::fmax(x, y) + 0.0f, std::fmax(x, y) + 0.0);
  BINARY(ext::fma(x, y, bfloat16(1.5f)), sum_to_odd(x * y, 1.5));
}

#define CLOSE(name)                                                                                                  \
  for_all<bfloat16>(queue, [](int i) { return ext::name(from_bits(i)); },                                            \
                    [](int i, bfloat16 result, const char *where) {                                                  \
    const double x = value(i), exact = std::name(x), wanted = rounded(exact, fraction);                              \
    const bool near = std::isfinite(wanted) && std::fabs(result - exact) <= unit_at(exact, fraction);                \
    expect(near || result == wanted || (std::isnan(result) && std::isnan(wanted)), #name, where, x, 0, result,       \
           wanted);                                                                                                  \
  })
void close_functions(sycl::queue &queue) {
  CLOSE(exp);
  CLOSE(exp2);
  CLOSE(log);
  CLOSE(log2);
  CLOSE(log10);
  CLOSE(sin);
  CLOSE(cos);
  CLOSE(tanh);
}

struct Mixed {
  bfloat16 first;
  char letter;
  bfloat16 second[3];
};

// Captures, members, vectors, and what host code has besides.
void the_rest(sycl::queue &queue) {
  bfloat16 *out = sycl::malloc_shared<bfloat16>(16, queue);
  const Mixed mixed = {1.5f, 'c', {bfloat16(2), bfloat16(-3), bfloat16(0.125f)}};
  const sycl::vec<bfloat16, 2> pair(bfloat16(1), bfloat16(2));
  queue.single_task([=] {
    out[0] = mixed.first * mixed.second[1] + pair[1];
    const auto sum = pair * bfloat16(3) + sycl::vec<bfloat16, 2>(bfloat16(0.5f));
    out[1] = sum[0] * sum[1];
    const auto roots = ext::sqrt(sycl::vec<bfloat16, 4>(bfloat16(4), bfloat16(9), bfloat16(16), bfloat16(25)));
    out[2] = roots[0] + roots[1] * roots[2] - roots[3];
    out[3] = sycl::vec<float, 2>(1.1f, 2.3f).convert<bfloat16>()[1];
    out[4] = ext::isnan(sycl::vec<bfloat16, 2>(bfloat16(NAN), bfloat16(1)))[0];
    out[5] = ext::fma(pair, pair, pair)[1];
    out[6] = ext::exp10(bfloat16(2)) + ext::rsqrt(bfloat16(4));
  }).wait();
  CHECK(out[0] == -2.5f && out[1] == bfloat16(3.5f * 6.5f) && out[2] == 9 && out[3] == bfloat16(2.3f));
  CHECK(out[4] == -1 && out[5] == 6 && out[6] == bfloat16(100.5f));

  std::stringstream stream("2.5");
  bfloat16 read = 0;
  stream >> read;
  std::ostringstream written;
  written << read;
  CHECK(read == 2.5f && written.str() == "2.5");
  const half from = read;
  CHECK(from == 2.5f && bfloat16(from) == read && bfloat16(0.1L) == bfloat16(0.1));
  CHECK(std::hash<bfloat16>()(bfloat16(0.0f)) == std::hash<bfloat16>()(bfloat16(-0.0f)));
  sycl::free(out, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  take_device(queue.get_device());
  conversions(queue);
  unary(queue);
  for (int round = 0; round < 2; ++round)
    binary(queue, round);
  close_functions(queue);
  the_rest(queue);
  return pass();
}
