// known_identity, has_known_identity and the function objects.
#include <sycl/sycl.hpp>

#include <limits>

#include "../check.hpp"

namespace {

struct own {
  int value;
};
struct merge {
  own operator()(const own &a, const own &b) const { return {a.value + b.value}; }
};

} // namespace

template <> struct sycl::has_known_identity<merge, own> : std::true_type {};
template <> struct sycl::known_identity<merge, own> {
  static constexpr own value{0};
};

template <class Operation, class T> constexpr bool is(T expected) {
  return sycl::has_known_identity_v<Operation, T> && sycl::known_identity_v<Operation, T> == expected;
}

static_assert(is<sycl::plus<>, int>(0) && is<sycl::plus<float>, float>(0) && is<sycl::multiplies<>, double>(1));
static_assert(is<sycl::bit_and<>, unsigned char>(255) && is<sycl::bit_and<int>, int>(-1));
static_assert(is<sycl::bit_or<>, long>(0) && is<sycl::bit_xor<>, short>(0));
static_assert(is<sycl::logical_and<>, bool>(true) && is<sycl::logical_or<bool>, bool>(false));
static_assert(is<sycl::minimum<>, int>(std::numeric_limits<int>::max()));
static_assert(is<sycl::maximum<>, int>(std::numeric_limits<int>::lowest()));
static_assert(is<sycl::minimum<>, signed char>(127) && is<sycl::maximum<>, signed char>(-128));
static_assert(is<sycl::minimum<>, unsigned long>(~0ul) && is<sycl::maximum<>, unsigned>(0));
static_assert(is<sycl::minimum<>, bool>(true) && is<sycl::maximum<bool>, bool>(false));
static_assert(is<sycl::minimum<>, float>(std::numeric_limits<float>::infinity()));
static_assert(is<sycl::maximum<double>, double>(-std::numeric_limits<double>::infinity()));
static_assert(!sycl::has_known_identity_v<sycl::logical_and<>, int>);
static_assert(!sycl::has_known_identity_v<sycl::bit_and<>, float>);
static_assert(!sycl::has_known_identity_v<sycl::plus<>, own> && sycl::has_known_identity_v<merge, own>);
static_assert(!sycl::has_known_identity_v<merge, int>);
static_assert(sycl::has_known_identity_v<sycl::plus<>, const int>);

static_assert(sycl::known_identity_v<merge, own>.value == 0);

int main() {
  CHECK_EQUAL(sycl::minimum<>()(3, 2), 2);
  CHECK_EQUAL(sycl::maximum<float>()(3, 2), 3.0f);
  // The first of equal values.
  CHECK(__builtin_signbit(sycl::minimum<double>()(-0.0, 0.0)));
  CHECK(__builtin_signbit(sycl::maximum<double>()(-0.0, 0.0)));
  return pass();
}
