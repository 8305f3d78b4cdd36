// vec: construction, elements, operators, conversion, loads and stores, in kernels and on the host.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cmath>

#include "../check.hpp"

static_assert(sizeof(sycl::float4) == 16 && alignof(sycl::float4) == 16);
static_assert(sizeof(sycl::float3) == 16 && sizeof(sycl::double2) == 16 && sizeof(sycl::uchar4) == 4);
static_assert(std::is_trivially_copyable_v<sycl::int8>);

static float work(int i) {
  sycl::float4 a(sycl::float2(float(i), 1.0f), 2.0f, 3);
  a.w() += a.x();
  a *= 2.0f;
  const sycl::float4 b = 1.0f - a / sycl::float4(4.0f);
  const sycl::int4 c = a.convert<int>() % 5;
  const sycl::int4 less = b < a;
  sycl::float3 n(1, 2, 2);
  n = sycl::normalize(n) + sycl::cross(sycl::float3(1, 0, 0), sycl::float3(0, 1, 0));
  const sycl::float2 swapped = a.swizzle<3, 0>();
  const sycl::float2 upper = b.hi();
  return a[0] + b.y() + float(c.z()) - float(less.s0() + less.s3()) + n.z() + swapped[0] + upper.x() +
         sycl::dot(a, b) + sycl::sqrt(sycl::fabs(b)).w() + sycl::max(a, 3.0f).y();
}

int main() {
  sycl::queue queue;
  float *out = sycl::malloc_shared<float>(100, queue);
  sycl::float4 *vectors = sycl::malloc_shared<sycl::float4>(100, queue);
  const sycl::float4 captured(1, 2, 3, 4);
  queue.parallel_for(100, [=](int i) {
    out[i] = work(i);
    vectors[i] = captured * float(i);
  }).wait();
  for (int i = 0; i < 100; ++i) {
    CHECK(std::fabs(out[i] - work(i)) <= 1e-5f * std::fabs(work(i)));
    for (int k = 0; k < 4; ++k)
      CHECK_EQUAL(vectors[i][k], (k + 1) * i);
  }

  float numbers[8];
  sycl::float4(5, 6, 7, 8).store(1, numbers);
  CHECK_EQUAL(numbers[4], 5);
  sycl::float2 loaded;
  loaded.load(3, numbers);
  CHECK(loaded.x() == 7 && loaded.y() == 8);
  CHECK((sycl::float2(-1.5f, 2.5f).convert<int, sycl::rounding_mode::rte>() == sycl::int2(-2, 2)).x() == -1);
  CHECK((sycl::float2(-1.75f, 2.5f).convert<int>() == sycl::int2(-2, 2)).x() == -1);
  CHECK((sycl::float2(-1.5f, 2.5f).convert<int, sycl::rounding_mode::rtn>() == sycl::int2(-2, 2)).x() == -1);
  CHECK(sycl::float4(1.0f).as<sycl::uint4>().w() == 0x3f800000u);
  CHECK((sycl::uint2(6u, 12u) & 4u).y() == 4 && (~sycl::int2(0)).x() == -1 && sycl::long2::size() == 2);
  sycl::free(out, queue);
  sycl::free(vectors, queue);
  return pass();
}
