// levels: 0 2
#include <cstdio>
__constant__ float table[3] = {1, 2, 3};
__device__ int counter = 5;
static __device__ double many[100];
struct Point { float3 p; int tag; };
__device__ float norm(float3 a);
__global__ void use(float *out, Point point) {
  int i = threadIdx.x;
  out[i] = table[i % 3] + norm(point.p);
  atomicAdd(&counter, 1);
  many[i] = i;
}
__device__ float norm(float3 a) { return sqrtf(a.x * a.x + a.y * a.y + a.z * a.z); }
#define CHECK(x) if (cudaError_t e = x) { std::printf("%s: %s %s\n", #x, cudaGetErrorString(e), sinter_last_error()); return 1; }
int main() {
  float *out; CHECK(cudaMallocManaged(&out, 64 * 4));
  float next[2] = {20, 30};
  CHECK(cudaMemcpyToSymbol(table, next, sizeof next, sizeof(float)));
  use<<<1, 64>>>(out, Point{make_float3(3, 4, 0), 7});
  CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize());
  int count = 0; CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
  double last = 0; CHECK(cudaMemcpyFromSymbol(&last, many, sizeof last, 63 * sizeof last));
  for (int i = 0; i < 64; ++i) if (out[i] != (i % 3 == 0 ? 1 : i % 3 == 1 ? 20 : 30) + 5.0f) return std::printf("%d %g\n", i, out[i]), 1;
  if (count != 69 || last != 63) return std::printf("%d %g\n", count, last), 1;
  void *address; size_t size; CHECK(cudaGetSymbolAddress(&address, counter)); CHECK(cudaGetSymbolSize(&size, many));
  if (size < sizeof many) return std::printf("size %zu\n", size), 1;
  CHECK(cudaFree(out));
  std::puts("PASS");
}
