// Views of the elements of a vec: assignment, compound assignment, views of views, operators with
// vectors, views and scalars, conversions. In kernels and on the host.
// levels: 0 2
#define SYCL_SIMPLE_SWIZZLES
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

template <class T, class U> using sum_of = decltype(std::declval<T>() + std::declval<U>());
template <class V> using xy = decltype(std::declval<V>().xy());
static_assert(std::is_same_v<sum_of<xy<sycl::int4 &>, xy<const sycl::int3 &>>, sycl::int2>);
static_assert(std::is_same_v<sum_of<float, xy<sycl::float2 &>>, sycl::float2>);
static_assert(std::is_same_v<decltype(std::declval<xy<sycl::double2 &>>() < 1.0), sycl::long2>);
static_assert(std::is_convertible_v<xy<const sycl::float4 &>, sycl::float2>);
static_assert(!std::is_convertible_v<xy<const sycl::float4 &>, sycl::float3>);
static_assert(!std::is_convertible_v<xy<const sycl::float4 &>, sycl::int2>);
// An element that occurs twice, a const vec and other lengths cannot be assigned to.
static_assert(std::is_assignable_v<xy<sycl::float4 &>, float>);
static_assert(!std::is_assignable_v<xy<const sycl::float4 &>, float>);
static_assert(!std::is_assignable_v<decltype(std::declval<sycl::float4 &>().xyx()), sycl::float3>);
static_assert(!std::is_assignable_v<xy<sycl::float4 &>, sycl::float3>);
static_assert(!std::is_assignable_v<xy<const sycl::float4 &>, xy<sycl::float4 &>>);

int number(const sycl::int4 &v) { return v.x() * 1000 + v.y() * 100 + v.z() * 10 + v.w(); }
int number(const sycl::int2 &v) { return v.x() * 10 + v.y(); }

int assignments(int *out) {
  int n = 0;
  sycl::int4 v(1, 2, 3, 4);
  v.xy() = sycl::int2(7, 8);
  out[n++] = number(v); // 7834
  v.xy() = v.yx();
  out[n++] = number(v); // 8734
  v.wzyx() = v;
  out[n++] = number(v); // 4378
  v.zw() = 5;
  out[n++] = number(v); // 4355
  v.lo() += sycl::int2(1, 2);
  v.hi() -= v.swizzle<3, 2>();
  out[n++] = number(v); // 5500
  v.odd() = v.even() + 1;
  out[n++] = number(v); // 5601
  v.zyx().lo() = sycl::int2(9, 3);
  out[n++] = number(v); // 5391
  v.swizzle<sycl::elem::w>() = 4;
  v.swizzle<1>() *= 2;
  out[n++] = number(v); // 5694
  v.xy()++;
  --v.zw();
  out[n++] = number(v); // 6783
  const sycl::int2 before = v.ba()--;
  out[n++] = number(v) * 100 + number(before); // 677283
  v.s0() = 1;
  v.xyz().yz() <<= 1;
  v.rg() |= sycl::int2(2, 1);
  out[n++] = v.x() * 1000 + v.y() * 10 + v.z(); // 3164
  v.yx() %= 4;
  v.xw() ^= 1;
  v.xyzw() &= sycl::int4(7);
  out[n++] = number(v); // 2363
  v.x() = v.y() = 9;
  (v.xy() = 2) += 1;
  return out[n++] = number(v), n; // 3363
}

int operators(int *out) {
  int n = 0;
  const sycl::int4 v(1, 2, 3, 4);
  sycl::int2 w(5, 6);
  out[n++] = number(v.xy() + w.yx()); // 77
  out[n++] = number(10 - v.wz() * 2); // 24
  out[n++] = number(sycl::int2(-v.xw() + 5)); // 41
  out[n++] = number(-(v.xy() == w.xx() / 5)); // 10
  out[n++] = number(-(v.xw() > 1 && w.yy() >= v.xy())); // 1
  out[n++] = number(-!(v.zw() - 3)); // 10
  out[n++] = number(~w.xy() & v.hi()); // 20
  const sycl::int4 joined(w.yx(), v.wz().yx().x(), v.swizzle<1>());
  out[n++] = number(joined); // 6532
  out[n++] = number(sycl::int4(0, v.xyz())); // 123
  out[n++] = number(v.lo().convert<float>().convert<int>()) + int(v.xyzw().as<sycl::float4>()[0] > 0);
  int memory[4] = {0, 0, 0, 0};
  v.wz().store(1, memory);
  w.yx().load(1, memory);
  out[n++] = number(w) * 100 + memory[2]; // 3404
  const int scalar = v.swizzle<2>();
  const sycl::vec<int, 1> one = v.swizzle<3>();
  out[n++] = scalar + one + (v.swizzle<0>() + 1).x(); // 9
  // 30
  out[n++] = int(v.xyz().size() + v.xyz().byte_size() + v.xyz().get_count() + v.odd().get_size());
  out[n++] = number(sycl::min(v.wz(), w)) * 100 + sycl::dot(v.xy(), v.zw()); // 3311
  return n;
}

constexpr int expected[] = {7834, 8734, 4378, 4355,  5500, 5601, 5391, 5694, 6783, 677283, 3164, 2363, 3363, 77,
                            24,   41,   10,   1,     10,   20,   6532, 123,  13,   3404,   9,    30,   3311};
constexpr int count = sizeof(expected) / sizeof(int);

int all(int *out) {
  const int n = assignments(out);
  return n + operators(out + n);
}

// Views of three elements have four, of which the last is unspecified.
static_assert(decltype(sycl::int3().hi())::size() == 2 && decltype(sycl::int8().even())::size() == 4);
static_assert(sycl::int4(1, 2, 3, 4).swizzle<3, 1>()[1] == 2);

} // namespace

int main() {
  sycl::queue queue;
  int *device = sycl::malloc_shared<int>(count, queue), host[count];
  queue.single_task([=] { all(device); }).wait();
  CHECK_EQUAL(all(host), count);
  for (int i = 0; i < count; ++i) {
    CHECK_EQUAL(host[i], expected[i]);
    CHECK_EQUAL(device[i], expected[i]);
  }
  sycl::free(device, queue);
  return pass();
}
