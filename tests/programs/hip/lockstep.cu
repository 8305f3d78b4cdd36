// Reductions that rely on the lockstep of a warp, as CUDA's programs did before `__syncwarp`.
// needs: the lockstep of a warp
#include <cstdio>

// The last steps on volatile shared memory.
__device__ void reduce_warp(volatile int *values, unsigned i) {
  values[i] += values[i + 32];
  values[i] += values[i + 16];
  values[i] += values[i + 8];
  values[i] += values[i + 4];
  values[i] += values[i + 2];
  values[i] += values[i + 1];
}

template <unsigned Size> __global__ void on_volatile_memory(const int *in, int *out) {
  extern __shared__ int values[];
  const unsigned i = threadIdx.x + blockDim.x * threadIdx.y;
  values[i] = in[blockIdx.x * Size + i];
  __syncthreads();
  for (unsigned s = Size / 2; s > 32; s /= 2) {
    if (i < s)
      values[i] += values[i + s];
    __syncthreads();
  }
  if (i < 32)
    reduce_warp(values, i);
  if (i == 0)
    out[blockIdx.x] = values[0];
}

// Steps within ever fewer work-items, with barriers as far as they are in several warps.
template <int Offset> struct Halves {
  static __device__ void reduce(int *values, int *out) {
    if (Offset > 16)
      __syncthreads();
    if (threadIdx.x < Offset) {
      values[threadIdx.x] += values[threadIdx.x + Offset];
      Halves<Offset / 2>::reduce(values, out);
    }
  }
};
template <> struct Halves<0> {
  static __device__ void reduce(int *values, int *out) { out[blockIdx.x] = values[0]; }
};

__global__ void in_halves(const int *in, int *out) {
  __shared__ int values[128];
  values[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  Halves<64>::reduce(values, out);
}

// Each warp for itself, in a loop. The size of the block is no multiple of a row.
__global__ void scan_of_warps(const int *in, int *out) {
  __shared__ volatile int values[3][64];
  const int lane = threadIdx.x % 32, i = blockIdx.x * 96 + threadIdx.x;
  volatile int *own = values[threadIdx.x / 32];
  own[lane] = 0;
  own[lane + 32] = in[i];
  for (int offset = 1; offset < 32; offset *= 2) {
    const int before = own[lane + 32 - offset];
    own[lane + 32] = own[lane + 32] + before;
  }
  out[i] = own[lane + 32];
}

static int wrong(const char *what, const int *out, const int *in, int size, int count) {
  for (int block = 0; block < count; ++block) {
    int sum = 0;
    for (int i = 0; i < size; ++i)
      sum += in[block * size + i];
    if (out[block] != sum)
      return std::printf("%s: %d instead of %d\n", what, out[block], sum);
  }
  return 0;
}

int main() {
  const int n = 96 * 128;
  int *in = nullptr, *out = nullptr;
  if (cudaMallocManaged(&in, n * sizeof *in) != cudaSuccess || cudaMallocManaged(&out, n * sizeof *out) != cudaSuccess)
    return std::puts("no memory"), 1;
  for (int i = 0; i < n; ++i)
    in[i] = i % 97 + 1;
  const auto ran = [] { return cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess; };
  int failed = 0;
  on_volatile_memory<64><<<n / 64, 64, 64 * sizeof(int)>>>(in, out);
  failed |= !ran() || wrong("volatile, 64", out, in, 64, n / 64);
  on_volatile_memory<256><<<n / 256, 256, 256 * sizeof(int)>>>(in, out);
  failed |= !ran() || wrong("volatile, 256", out, in, 256, n / 256);
  on_volatile_memory<128><<<n / 128, dim3(8, 16), 128 * sizeof(int)>>>(in, out);
  failed |= !ran() || wrong("volatile, 8 x 16", out, in, 128, n / 128);
  in_halves<<<n / 128, 128>>>(in, out);
  failed |= !ran() || wrong("halves", out, in, 128, n / 128);
  scan_of_warps<<<n / 96, 96>>>(in, out);
  failed |= !ran();
  for (int i = 0, sum = 0; i < n && !failed; ++i) {
    sum = i % 32 ? sum + in[i] : in[i];
    if (out[i] != sum)
      failed = std::printf("scan %d: %d instead of %d\n", i, out[i], sum);
  }
  if (failed)
    return std::puts(sinter_last_error()), 1;
  std::puts("PASS");
}
