// marray: layout, constructors, iteration, operators, functions, elements that are classes.
// levels: 0 2
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

static_assert(sizeof(sycl::marray<float, 5>) == 20 && alignof(sycl::mfloat3) == alignof(float));
static_assert(sizeof(sycl::marray<sycl::mint2, 3>) == 24 && sizeof(sycl::mbool4) == 4);
static_assert(std::is_trivially_copyable_v<sycl::mfloat3> && sycl::is_device_copyable_v<sycl::mdouble16>);
static_assert(std::is_same_v<decltype(sycl::marray(1.0f, 2.0f)), sycl::mfloat2>);
static_assert(std::is_same_v<decltype(sycl::mint3() < 2), sycl::mbool3>);
static_assert(std::is_same_v<sycl::mlong2::value_type, std::int64_t> && sycl::muchar8::size() == 8);
static_assert(!std::is_convertible_v<float, sycl::mfloat2> && std::is_constructible_v<sycl::mfloat2, float>);
static_assert(!std::is_constructible_v<sycl::mfloat2, float, float, float>);
static_assert(std::is_convertible_v<sycl::marray<int, 1>, int> && !std::is_convertible_v<sycl::mint2, int>);
static_assert(sycl::mint3(1, 2, 3)[2] == 3 && (sycl::mint2(3) * 2 + sycl::mint2(1, 2))[1] == 8);

// An element type of the program's own.
struct fixed {
  int value = 7;
  fixed() = default;
  constexpr explicit fixed(int number) : value(number) {}
  friend constexpr fixed operator+(const fixed &a, const fixed &b) { return fixed(a.value + b.value); }
  friend constexpr bool operator==(const fixed &a, const fixed &b) { return a.value == b.value; }
};
template <class T, class U, class = void> constexpr bool subtracts = false;
template <class T, class U>
constexpr bool subtracts<T, U, std::void_t<decltype(std::declval<T>() - std::declval<U>())>> = true;
static_assert(subtracts<sycl::mint2, int> && !subtracts<sycl::marray<fixed, 2>, fixed>);
static_assert(!subtracts<sycl::mint2, sycl::mint3> && !subtracts<sycl::mint2, sycl::int2>);

template <class T, std::size_t N> auto total(const sycl::marray<T, N> &array) {
  std::common_type_t<T, int> sum = 0;
  for (const T &element : array)
    sum += element;
  return sum;
}

int work(int *out) {
  int n = 0;
  sycl::marray<int, 5> a(1, sycl::mint2(2, 3), 4, 5), b(2);
  out[n++] = total(a); // 15
  out[n++] = total(a * b - 1); // 25
  out[n++] = total(10 / a + a % 3); // 28
  a += b;
  a <<= 1;
  out[n++] = total(a); // 50
  out[n++] = total(-a & 7) + total(~b) + total(a ^ b); // 14 - 15 + 48
  int steps = total(++b);
  steps += total(b++);
  steps += total(b--);
  out[n++] = steps + b[4]; // 15 + 15 + 20 + 3
  out[n++] = total((a > 8) || (a == 6)) * 10 + total(!a || a <= 10); // 43
  b = 4;
  b[1] = a[0];
  *b.begin() = 3;
  *(b.end() - 1) += 1;
  out[n++] = b[0] * 10000 + b[1] * 1000 + b[2] * 100 + b[3] * 10 + b[4]; // 36445
  const sycl::marray<fixed, 3> c, d(fixed(1));
  out[n++] = (c + d)[2].value + int((c == d)[0]) + int((c + fixed(2) == fixed(9))[1]); // 9
  const int one = sycl::marray<int, 1>(5);
  out[n++] = one; // 5
  const sycl::marray<float, 7> x(2.25f), y(4);
  out[n++] = int(total(sycl::sqrt(y) + sycl::fmax(x, 3.0f) + sycl::mad(x, y, x))); // 113
  out[n++] = total(sycl::isless(x, y)) + 10 * sycl::all(x == 2.25f) + 100 * sycl::any(y < x); // 17
  const sycl::mfloat3 east(1, 0, 0), north(0, 1, 0);
  // 3
  out[n++] = int(sycl::cross(east, north)[2] + sycl::length(east + north * 0) + sycl::dot(north, north));
  sycl::mint3 exponents;
  sycl::mfloat3 fractions = sycl::frexp(sycl::mfloat3(8, 5, 0.5f), &exponents);
  out[n++] = total(exponents) + int(total(fractions) * 1000); // 7 + 1625
  // 11
  out[n++] = total(sycl::select(sycl::mint3(1), sycl::mint3(5), sycl::mbool3(true, false, true)));
  out[n++] = total(sycl::upsample(sycl::mshort2(1, 2), sycl::mushort2(3, 4))) - (3 << 16); // 7
  return n;
}

constexpr int expected[] = {15, 25, 28, 50, 47, 53, 43, 36445, 9, 5, 113, 17, 3, 1632, 11, 7};
constexpr int count = sizeof(expected) / sizeof(int);

} // namespace

int main() {
  sycl::queue queue;
  int *device = sycl::malloc_shared<int>(count, queue), host[count];
  const sycl::marray<int, 3> captured(1, 2, 3);
  queue.single_task([=] { work(device); }).wait();
  CHECK_EQUAL(work(host), count);
  for (int i = 0; i < count; ++i) {
    CHECK_EQUAL(host[i], expected[i]);
    CHECK_EQUAL(device[i], expected[i]);
  }
  queue.single_task([=] { device[0] = total(captured * 7); }).wait();
  CHECK_EQUAL(device[0], 42);
  sycl::free(device, queue);
  return pass();
}
