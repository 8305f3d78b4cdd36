// The values of `__constant__` variables that launches see, however the program changes them.
// levels: 0 2
#include <cstdio>
#include <vector>

#include "../check.hpp"

#define FINE(call) CHECK_EQUAL(static_cast<int>(call), 0)

struct Limits {
  int first, last;
  double scale;
};

__constant__ int few[4] = {1, 2, 3, 4};
__constant__ Limits limits = {2, 5, 0.5};
static __constant__ float many[16384];
static __constant__ short unset[8];

__global__ void alike(int *out) {
  int sum = 0;
  for (int i = 0; i != 4; ++i)
    sum = 10 * sum + few[i];
  out[threadIdx.x] = sum + unset[3];
}
__global__ void own(int *out) { out[threadIdx.x] = few[threadIdx.x % 4]; }
__global__ void both(int *out, int at) { out[threadIdx.x] = few[at] * 100 + few[threadIdx.x % 4]; }
__global__ void bounds(double *out) {
  double sum = 0;
  for (int i = limits.first; i != limits.last; ++i)
    sum += i * limits.scale;
  out[threadIdx.x] = sum;
}
__global__ void large(float *out, int at) { out[threadIdx.x] = many[at] + many[16383 - threadIdx.x]; }
__global__ void write(int *to, int value) { to[threadIdx.x] = value + threadIdx.x; }
// A function that is not inlined gets the address of the variable.
__device__ __noinline__ int entry(const int *table, int at) { return table[at]; }
__global__ void passed(int *out) { out[threadIdx.x] = entry(few, 2) + few[0]; }

int main() {
  int *out = nullptr, *device = nullptr;
  double *sums = nullptr;
  float *values = nullptr;
  FINE(cudaMallocManaged(&out, 3 * 32 * sizeof(int)));
  FINE(cudaMallocManaged(&sums, 32 * sizeof(double)));
  FINE(cudaMallocManaged(&values, 32 * sizeof(float)));
  FINE(cudaMalloc(&device, 4 * sizeof(int)));
  const auto result = [&](auto kernel, auto... arguments) {
    kernel<<<1, 32>>>(out, arguments...);
    FINE(cudaGetLastError());
    FINE(cudaDeviceSynchronize());
    return out[31];
  };

  // Initial values, and values that are replaced in whole and in part.
  CHECK_EQUAL(result(alike), 1234);
  CHECK_EQUAL(result(own), 4);
  CHECK_EQUAL(result(both, 1), 204);
  CHECK_EQUAL(result(passed), 4);
  const int next[4] = {5, 6, 7, 8};
  FINE(cudaMemcpyToSymbol(few, next, sizeof next));
  CHECK_EQUAL(result(alike), 5678);
  CHECK_EQUAL(result(own), 8);
  FINE(cudaMemcpyToSymbol(few, next, sizeof(int), 2 * sizeof(int)));
  CHECK_EQUAL(result(alike), 5658);
  CHECK_EQUAL(result(passed), 10);
  const short set[2] = {100, 200};
  FINE(cudaMemcpyToSymbol(unset, set, sizeof set, 2 * sizeof(short)));
  CHECK_EQUAL(result(alike), 5858);
  int back[2] = {};
  FINE(cudaMemcpyFromSymbol(back, few, sizeof back, 2 * sizeof(int)));
  CHECK_EQUAL(back[0], 5);
  CHECK_EQUAL(back[1], 8);
  CHECK_EQUAL(static_cast<int>(cudaMemcpyToSymbol(few, next, sizeof next, 4)), static_cast<int>(cudaErrorInvalidValue));
  cudaGetLastError();

  // A structure, and one too large to be passed by value.
  bounds<<<1, 32>>>(sums);
  FINE(cudaDeviceSynchronize());
  CHECK_EQUAL(sums[31], 4.5);
  const Limits other = {0, 3, 2};
  FINE(cudaMemcpyToSymbol(limits, &other, sizeof other));
  bounds<<<1, 32>>>(sums);
  FINE(cudaDeviceSynchronize());
  CHECK_EQUAL(sums[0], 6.0);
  std::vector<float> all(16384);
  for (int i = 0; i != 16384; ++i)
    all[static_cast<unsigned>(i)] = static_cast<float>(i);
  FINE(cudaMemcpyToSymbol(many, all.data(), sizeof many));
  large<<<1, 32>>>(values, 10000);
  FINE(cudaDeviceSynchronize());
  CHECK_EQUAL(values[5], 10000.0f + 16378.0f);

  // Launches in a stream see what was copied before them, whenever they run.
  cudaStream_t stream;
  FINE(cudaStreamCreate(&stream));
  for (int round = 0; round != 3; ++round) {
    const int one[4] = {round, round, round, round};
    FINE(cudaMemcpyToSymbolAsync(few, one, sizeof one, 0, cudaMemcpyHostToDevice, stream));
    alike<<<1, 32, 0, stream>>>(out + 32 * round);
  }
  FINE(cudaStreamSynchronize(stream));
  for (int round = 0; round != 3; ++round)
    CHECK_EQUAL(out[32 * round + 7], 1111 * round + 200);

  // Copies from a device, and kernels that write through the address.
  write<<<1, 4, 0, stream>>>(device, 3);
  FINE(cudaMemcpyToSymbolAsync(few, device, 4 * sizeof(int), 0, cudaMemcpyDeviceToDevice, stream));
  alike<<<1, 32, 0, stream>>>(out);
  FINE(cudaStreamSynchronize(stream));
  CHECK_EQUAL(out[0], 3456 + 200);
  void *address = nullptr;
  FINE(cudaGetSymbolAddress(&address, few));
  write<<<1, 4>>>(static_cast<int *>(address), 6);
  CHECK_EQUAL(result(alike), 6789 + 200);
  CHECK_EQUAL(result(both, 3), 909);
  FINE(cudaMemcpy(address, next, sizeof next, cudaMemcpyHostToDevice));
  CHECK_EQUAL(result(alike), 5678 + 200);

  FINE(cudaStreamDestroy(stream));
  FINE(cudaFree(device));
  FINE(cudaFree(values));
  FINE(cudaFree(sums));
  FINE(cudaFree(out));
  return pass();
}
