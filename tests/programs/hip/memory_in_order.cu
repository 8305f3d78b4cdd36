// Memory that is allocated and freed in the order of a stream.
#include <atomic>
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(x)                                                                                                       \
  if (!(x))                                                                                                            \
  return std::printf("line %d: %s\n", __LINE__, #x), 1

__global__ void set(int *numbers, int value, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    numbers[i] = value;
}
__global__ void add(int *sums, const int *numbers, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size)
    sums[i] += numbers[i];
}

constexpr int size = 10000, blocks = (size + 255) / 256;

static void wait_for(void *flag) {
  while (!static_cast<std::atomic<bool> *>(flag)->load())
    ;
}

int main() {
  cudaStream_t streams[2];
  int *sums[2];
  for (int k = 0; k < 2; ++k) {
    CHECK(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking) == cudaSuccess);
    CHECK(cudaMallocAsync(&sums[k], size * sizeof(int), streams[k]) == cudaSuccess);
    CHECK(cudaMemsetAsync(sums[k], 0, size * sizeof(int), streams[k]) == cudaSuccess);
  }
  for (int round = 1; round <= 100; ++round)
    for (int k = 0; k < 2; ++k) {
      int *numbers = nullptr;
      CHECK(cudaMallocAsync(&numbers, size * sizeof(int), streams[k]) == cudaSuccess);
      set<<<blocks, 256, 0, streams[k]>>>(numbers, round + k, size);
      add<<<blocks, 256, 0, streams[k]>>>(sums[k], numbers, size);
      CHECK(cudaFreeAsync(numbers, streams[k]) == cudaSuccess);
    }
  std::vector<int> host(size);
  for (int k = 0; k < 2; ++k) {
    CHECK(cudaMemcpyAsync(host.data(), sums[k], size * sizeof(int), cudaMemcpyDeviceToHost, streams[k]) == cudaSuccess);
    CHECK(cudaStreamSynchronize(streams[k]) == cudaSuccess);
    for (int sum : host)
      CHECK(sum == 5050 + 100 * k);
  }

  // A free waits for nothing. The stream that freed a block gets it at once, another one does not.
  std::atomic<bool> may_go_on{false};
  int *freed = nullptr, *again = nullptr, *other = nullptr;
  const size_t large = 12345678;
  CHECK(cudaMallocAsync(&freed, large, streams[0]) == cudaSuccess);
  CHECK(cudaLaunchHostFunc(streams[0], wait_for, &may_go_on) == cudaSuccess);
  CHECK(cudaFreeAsync(freed, streams[0]) == cudaSuccess);
  CHECK(cudaMallocAsync(&other, large, streams[1]) == cudaSuccess && other != freed);
  CHECK(cudaMallocAsync(&again, large, streams[0]) == cudaSuccess && again == freed);
  CHECK(cudaStreamQuery(streams[0]) == cudaErrorNotReady);
  may_go_on = true;
  CHECK(cudaFreeAsync(again, streams[0]) == cudaSuccess);
  CHECK(cudaStreamSynchronize(streams[0]) == cudaSuccess);

  // Once its commands are complete a block is for all streams, also if the stream is gone.
  CHECK(cudaStreamDestroy(streams[0]) == cudaSuccess);
  CHECK(cudaMallocAsync(&again, large, streams[1]) == cudaSuccess && again == freed);

  CHECK(cudaFreeAsync(again, streams[1]) == cudaSuccess);
  CHECK(cudaFreeAsync(again, streams[1]) == cudaErrorInvalidValue);
  CHECK(cudaFree(again) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(nullptr, streams[1]) == cudaSuccess);
  int local = 0;
  CHECK(cudaFreeAsync(&local, streams[1]) == cudaErrorInvalidValue);
  CHECK(cudaFree(other) == cudaSuccess);

  // Memory of another kind, and of the ordinary call.
  int *managed = nullptr, *ordinary = nullptr;
  CHECK(cudaMallocManaged(&managed, 100) == cudaSuccess && cudaFreeAsync(managed, streams[1]) == cudaSuccess);
  CHECK(cudaMalloc(&ordinary, 100) == cudaSuccess && cudaFreeAsync(ordinary, nullptr) == cudaSuccess);
  for (int *sum : sums)
    CHECK(cudaFree(sum) == cudaSuccess);
  return std::puts("PASS"), 0;
}
