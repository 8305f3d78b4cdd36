// Operators of range and id, on the host and in a kernel.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  const sycl::id<2> a(6, 7);
  const sycl::range<2> b(4, 5);
  CHECK(a + a == sycl::id<2>(12, 14));
  CHECK(a * 2 == sycl::id<2>(12, 14));
  CHECK(10 - a == sycl::id<2>(4, 3));
  CHECK(a % 4 == sycl::id<2>(2, 3));
  CHECK((a < 7) == sycl::id<2>(1, 0));
  CHECK(b / 2 == sycl::range<2>(2, 2));
  CHECK((b << 1) == sycl::range<2>(8, 10));
  CHECK(b.size() == 20);
  sycl::id<3> c(1, 2, 3);
  c += 1;
  c *= sycl::id<3>(1, 2, 3);
  CHECK(c == sycl::id<3>(2, 6, 12));
  CHECK(++c == sycl::id<3>(3, 7, 13));
  CHECK(c-- == sycl::id<3>(3, 7, 13));
  CHECK(c != sycl::id<3>(3, 7, 13));
  CHECK(a % b == sycl::id<2>(2, 2) && b + a == sycl::id<2>(10, 12) && sycl::id<2>(4, 5) == b);
  sycl::id<2> moved = a;
  CHECK((moved += b) == sycl::id<2>(10, 12));
  const sycl::id<1> one(5);
  const sycl::range<1> two(2);
  CHECK(one % two == 1 && one > two && two + one == 7);
  const int number = one;
  CHECK(number == 5 && one == 5 && one < 6 && one + 1 == 6 && one * one == 25);
  static_assert(std::is_same_v<decltype(sycl::range(1, 2, 3)), sycl::range<3>>);

  sycl::queue queue;
  std::size_t *out = sycl::malloc_shared<std::size_t>(64, queue);
  queue.parallel_for(sycl::range<2>(8, 8), [=](sycl::id<2> i) {
    const sycl::id<2> mirrored = (sycl::id<2>(7, 7) - i) ^ sycl::id<2>(1, 0);
    out[i[0] * 8 + i[1]] = mirrored[0] * 8 + mirrored[1];
  });
  queue.wait();
  for (std::size_t i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], ((7 - i / 8) ^ 1) * 8 + 7 - i % 8);
  sycl::free(out, queue);
  return pass();
}
