// levels: 0 2
// Vector types of HIP have constructors.
#include <cstdio>
#include <type_traits>

static_assert(std::is_trivially_default_constructible<float4>::value && std::is_trivially_copyable<float4>::value);
static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && std::is_convertible<int, int1>::value);

__global__ void use(float *o) {
  float4 a(1, 2, 3, 4), b(2.0f), c{5, 6, 7, 8}, d = {1, 1, 1, 1};
  a += b * 2.0f - d;
  const float2 e = float2(3, 4) * float2(2.0f);
  const int3 i = int3(7), zero = {};
  const double1 one = 1.0;
  o[0] = a.x + c.w, o[1] = e == float2(6, 8), o[2] = i.z + zero.y + one.x;
}

int main() {
  float *o = nullptr;
  if (hipMallocManaged(&o, 64) != hipSuccess)
    return std::puts("no memory"), 1;
  hipLaunchKernelGGL(use, 1, 1, 0, 0, o);
  if (hipDeviceSynchronize() != hipSuccess || o[0] != 12 || o[1] != 1 || o[2] != 8)
    return std::printf("%g %g %g\n", o[0], o[1], o[2]), 1;
  (void)hipFree(o);
  std::puts("PASS");
}
