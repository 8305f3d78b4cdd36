// Which function a call means: mixed and converted arguments, explicit template arguments, vec of
// one element, pointers of all spaces; constant expressions; native vectors; bytes.
// levels: 0 2
// standards: c++17 c++20
#include <cmath>
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

template <class T, class U> constexpr bool is = std::is_same_v<T, U>;

// Arguments convert as those of functions do; double where neither float nor double is better.
static_assert(is<decltype(sycl::sqrt(4)), double> && is<decltype(sycl::pow(2.0f, 3)), float>);
static_assert(is<decltype(sycl::pow(2, 3)), double> && is<decltype(sycl::pow(2.0, 3.0f)), double>);
static_assert(is<decltype(sycl::fma(1, 2.0f, 3)), float> && is<decltype(sycl::isequal(1, 2.0)), bool>);
static_assert(is<decltype(sycl::ldexp(2, 3)), double> && is<decltype(sycl::mix(1.0f, 2.0f, 0.5)), double>);
static_assert(is<decltype(sycl::max(1.0f, 2)), float> && is<decltype(sycl::min(1u, 2ull)), unsigned long long>);
static_assert(is<decltype(sycl::clamp(1, 2l, 3)), long> && is<decltype(sycl::max<short>(1, 2)), short>);
static_assert(is<decltype(sycl::ilogb(3)), int> && is<decltype(sycl::step(1, 2)), double>);
static_assert(sycl::max(3, 4l) == 4 && sycl::min(2, 3) == 2 && sycl::clamp(9, 1, 5) == 5);

// The type may be named, for one argument or for each.
static_assert(is<decltype(sycl::rsqrt<float>(4)), float> && is<decltype(sycl::sqrt<double>(4.0f)), double>);
static_assert(is<decltype(sycl::fmax<float, float>(1, 2.0)), float>);
static_assert(is<decltype(sycl::rhadd<char, char>(1, 2)), char> && is<decltype(sycl::native::exp<float>(1)), float>);
static_assert(is<decltype(sycl::fmax<sycl::float2, sycl::float2>({}, {})), sycl::float2>);

// A vec of one element is a scalar, too.
using one = sycl::vec<float, 1>;
static_assert(std::is_convertible_v<float, one> && std::is_convertible_v<one, double>);
static_assert(is<decltype(one() + 1.0), one> && is<decltype(sycl::float4() * one()), sycl::float4>);
static_assert(is<decltype(one() < 2), sycl::vec<std::int32_t, 1>> && is<decltype(sycl::sqrt(one())), one>);
static_assert(!std::is_convertible_v<float, sycl::float2> && !std::is_convertible_v<sycl::int2, sycl::float2>);
static_assert(!std::is_constructible_v<sycl::float4, sycl::float2, float>);
static_assert(is<decltype(sycl::vec(1, 2, 3)), sycl::int3>);

// Elements have the operators of their type.
template <class T, class = void> constexpr bool has_remainder = false;
template <class T> constexpr bool has_remainder<T, std::void_t<decltype(T() % T())>> = true;
template <class T, class = void> constexpr bool increases = false;
template <class T> constexpr bool increases<T, std::void_t<decltype(++std::declval<T &>())>> = true;
using bytes = sycl::vec<std::byte, 4>;
static_assert(has_remainder<sycl::int4> && !has_remainder<sycl::float4> && !has_remainder<bytes>);
static_assert(increases<sycl::float4> && !increases<sycl::vec<bool, 4>> && !increases<bytes>);
static_assert(is<decltype(bytes() & std::byte(1)), bytes> && is<decltype(bytes() == bytes()), sycl::char4>);
static_assert(is<sycl::byte, std::uint8_t> && sizeof(sycl::double16) == 128 && alignof(sycl::double16) == 64);

// Constant expressions.
constexpr sycl::int4 constant(sycl::int2(1, 2), 3, 4);
static_assert((constant * 2 + 1)[3] == 9 && constant.hi()[0] == 3 && (-constant).w() == -4 && (constant > 2)[2] == -1);
static_assert(sycl::dot(constant, constant) == 30 && sycl::max(constant, 3)[0] == 3 && sycl::any(constant > 3) == 1);
static_assert(sycl::select(constant, -constant, constant > 2)[3] == -4 && sycl::popcount(constant)[2] == 2);
constexpr int changed() {
  sycl::int4 v = constant;
  v.lo() = v.hi();
  v.odd() += 1;
  ++v;
  return v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3];
}
static_assert(changed() == 4646);

struct wrapped {
  sycl::float2 value;
  operator sycl::float2() const { return value; }
};

template <class Derived> struct base : sycl::float4 {
  using sycl::float4::vec;
};
struct point : base<point> {
  using base<point>::base;
};

float values(float *out) {
  using sycl::access::address_space;
  float fraction = 0;
  int exponent = 0;
  const sycl::multi_ptr<float, address_space::private_space, sycl::access::decorated::no> place(&fraction);
  const sycl::private_ptr<int> power(&exponent);
  float sum = sycl::fract(2.75f, place) + sycl::frexp(8.0f, power);
  sum += fraction + float(exponent);
  const sycl::multi_ptr<float, address_space::generic_space, sycl::access::decorated::yes> any(&fraction);
  sum += sycl::modf(3.5f, any);
  sum += *any;
  const sycl::multi_ptr<float, address_space::global_space, sycl::access::decorated::yes> global(out);
  sum += sycl::sincos(0.0f, global);
  sum += *out;
  sum += (wrapped{{1, 2}} + sycl::float2(1))[1] + (2 * wrapped{{1, 2}}.value).x();
  point p(1, 2, 3, 4);
  p += 1;
  sum += sycl::length(p - sycl::float4(1)) + (p * p)[3];
  sycl::float4::vector_t native = sycl::float4(1, 2, 3, 4);
  native = native + native;
  const sycl::float4 back = native;
  sum += back[3] + sycl::int2(sycl::int2::vector_t{5, 6})[1];
  sum += sycl::normalize(sycl::float3(0))[0] + sycl::clamp(std::nanf(""), 1.0f, 2.0f);
  sum += float(std::to_integer<int>((bytes(std::byte(6)) & std::byte(3))[2]));
  return sum + sycl::min(sycl::float2(3, 4), 3.5f)[1] + sycl::sqrt(4) + sycl::max(2, 5l);
}

} // namespace

int main() {
  sycl::queue queue;
  float *out = sycl::malloc_shared<float>(2, queue), place = 0;
  queue.single_task([=] { out[1] = values(out); }).wait();
  const float host = values(&place);
  CHECK(std::fabs(host - 74.727226f) < 1e-4f);
  CHECK(std::fabs(out[1] - host) < 1e-4f);
  sycl::free(out, queue);
  return pass();
}
