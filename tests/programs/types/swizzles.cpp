// Named swizzles: of two to four letters, in kernels and on the host.
// levels: 0 2
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

template <class V, class = void> constexpr bool has_z = false;
template <class V> constexpr bool has_z<V, std::void_t<decltype(std::declval<V>().xz())>> = true;
static_assert(has_z<sycl::int3> && !has_z<sycl::int2> && !has_z<sycl::int8>);

template <class View> constexpr bool is_writable = std::is_assignable_v<View, sycl::int2>;
static_assert(is_writable<decltype(std::declval<sycl::int4 &>().wz())>);
static_assert(!is_writable<decltype(std::declval<const sycl::int4 &>().wz())>);
static_assert(!is_writable<decltype(std::declval<sycl::int4 &>().ww())>);

// The elements as decimal digits of a number.
template <class V> int digits(const V &v) {
  int number = 0;
  for (int i = 0; i < int(v.size()); ++i)
    number = number * 10 + v[i];
  return number;
}

void write(int *out) {
  const sycl::int4 four(1, 2, 3, 4);
  const sycl::int3 three(5, 6, 7);
  const sycl::int2 two(8, 9);
  out[0] = digits(four.zwxy());
  out[1] = digits(four.bgra());
  out[2] = digits(four.wwww() + four);
  out[3] = digits(three.zyx());
  out[4] = digits(three.xxyy());
  out[5] = digits(two.yx());
  out[6] = digits(two.yyx());
  out[7] = digits(four.gr());
}

} // namespace

int main() {
  constexpr int expected[8] = {3412, 3214, 5678, 765, 5566, 98, 998, 21};
  sycl::queue queue;
  int *device = sycl::malloc_shared<int>(8, queue), host[8];
  queue.single_task([=] { write(device); }).wait();
  write(host);
  for (int i = 0; i < 8; ++i) {
    CHECK_EQUAL(device[i], expected[i]);
    CHECK_EQUAL(host[i], expected[i]);
  }
  sycl::free(device, queue);
  return pass();
}
