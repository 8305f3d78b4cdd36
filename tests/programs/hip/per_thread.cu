// levels: 2
// options: --default-stream=per-thread
// Each thread has a null stream of its own.
#include <atomic>
#include <cstdio>
#include <thread>

#ifndef CUDA_API_PER_THREAD_DEFAULT_STREAM
#error "the flag defines this macro"
#endif

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call)                                                                                      \
  return std::printf("%s: %s, %s\n", #call, cudaGetErrorString(error), sinter_hip_last_message()), 1

__global__ void set(int *place, int value) { *place = value; }

static std::atomic<bool> is_open{false}, is_reached{false};
static void wait(void *) {
  is_reached = true;
  while (!is_open)
    std::this_thread::yield();
}

// Runs while the null stream of the other thread is held up.
static int other_thread(int *place) {
  int host = 0;
  set<<<1, 1>>>(place, 5);
  CHECK(cudaGetLastError());
  CHECK(cudaStreamSynchronize(nullptr));
  CHECK(cudaMemcpy(&host, place, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaMemsetAsync(place, 0, sizeof host));
  CHECK(cudaStreamSynchronize(cudaStreamPerThread));
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventRecord(event));
  CHECK(cudaEventSynchronize(event));
  CHECK(cudaEventDestroy(event));
  return host == 5 ? 0 : (std::printf("%d instead of 5\n", host), 1);
}

int main() {
  int *place = nullptr, *other = nullptr, failed = 0, host = 0;
  CHECK(cudaMalloc(&place, sizeof(int)));
  CHECK(cudaMalloc(&other, sizeof(int)));
  CHECK(cudaLaunchHostFunc(nullptr, wait, nullptr));
  set<<<1, 1>>>(place, 7);
  CHECK(cudaGetLastError());
  if (cudaStreamQuery(nullptr) != cudaErrorNotReady || cudaStreamQuery(cudaStreamPerThread) != cudaErrorNotReady)
    return std::puts("the stream of the thread is not held up"), 1;
  std::thread([&] { failed = other_thread(other); }).join();
  if (failed || cudaStreamQuery(nullptr) != cudaErrorNotReady)
    return std::puts("the threads have one stream"), 1;
  is_open = true;
  CHECK(cudaMemcpy(&host, place, sizeof host, cudaMemcpyDeviceToHost));
  if (host != 7)
    return std::printf("%d instead of 7\n", host), 1;
  // More threads than one, which end with work under way.
  for (int round = 0; round < 8; ++round)
    std::thread([&] { set<<<1, 1>>>(place, round); }).join();
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&host, place, sizeof host, cudaMemcpyDeviceToHost));
  if (host != 7)
    return std::printf("%d\n", host), 1;
  CHECK(cudaFree(place));
  CHECK(cudaFree(other));
  std::puts("PASS");
}
