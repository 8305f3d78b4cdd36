// levels: 0 2
// Shuffles from work-items that a mask does not name: programs that reduce a part of a warp add
// what they read there.
#include <cstdio>

template <class Type> __device__ Type sum_of(unsigned mask, Type x) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    x += __shfl_down_sync(mask, x, offset);
  return x;
}

template <class Type> __global__ void sums(Type *result) {
  __shared__ Type parts[32];
  const int i = threadIdx.x, warps = blockDim.x / warpSize;
  const Type sum = sum_of(0xffffffffu, static_cast<Type>(i + 1));
  if (i % warpSize == 0)
    parts[i / warpSize] = sum;
  __syncthreads();
  const unsigned first = __ballot_sync(0xffffffffu, i < warps);
  if (i < warps) {
    const Type all = sum_of(first, parts[i]);
    if (i == 0)
      *result = all;
  }
}

template <class Type> static bool is_right(int threads) {
  Type *memory = nullptr, result = 0;
  cudaMalloc(&memory, sizeof(Type));
  sums<<<1, threads>>>(memory);
  const bool copied = cudaMemcpy(&result, memory, sizeof(Type), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(memory);
  return copied && result == static_cast<Type>(threads * (threads + 1) / 2);
}

int main() {
  for (int threads : {32, 64, 96, 256, 512})
    if (!is_right<int>(threads) || !is_right<float>(threads) || !is_right<double>(threads))
      return std::printf("wrong sum of %d threads\n", threads), 1;
  std::puts("PASS");
}
