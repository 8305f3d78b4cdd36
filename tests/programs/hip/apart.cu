// Launches whose brackets are written apart, as nvcc reads them.
#include "apart.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

__global__ void twice(int *p) { p[threadIdx.x + blockIdx.x * blockDim.x] *= 2; }

constexpr int shifted(int a, int b) { return a << b >> 1; }

int main() {
  constexpr int n = 64;
  std::vector<Sized<Sized<int>> > found(n);
  int *p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  fill_all(reinterpret_cast<Sized<Sized<int>> *>(p), n);
  twice << <n / 32, 32>> >(p); // << <n, 32>> >
  twice<<<shifted(1, 2), 32, 0, 0>> > (p);
  twice << < 1, (8 >> 3 > 0 ? 32 : 1) >>>(p);
  cudaMemcpy(found.data(), p, n * sizeof(int), cudaMemcpyDeviceToHost);
  const char *text = "a << <b, c>> > (d)";
  bool right = std::strlen(text) == 18 && text[4] == ' ' && text[12] == ' ';
  for (int i = 0; i < n; ++i)
    right &= found[i].value.value == (i < 32 ? 24 : 12);
  std::puts(right ? "PASS" : "FAIL");
}
