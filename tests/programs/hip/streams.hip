// levels: 2
// Streams, the rule of the null stream, events with times, callbacks, errors of host calls.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                                                   \
  if (hipError_t error = call)                                                                                       \
  return std::printf("%s: %s, %s\n", #call, hipGetErrorString(error), sinter_last_error()), 1

__global__ void work(float *values, int n, int rounds, float add) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  float x = values[i];
  for (int round = 0; round < rounds; ++round)
    x = x * 0.5f + 0.5f;
  values[i] = x + add;
}

static int called = 0;

int null_stream_waits() {
  const int n = 1 << 16;
  float *values = nullptr;
  hipStream_t streams[2];
  CHECK(hipMalloc(&values, n * sizeof(float)));
  for (hipStream_t &stream : streams)
    CHECK(hipStreamCreate(&stream));
  std::vector<float> host(n, 1.0f);
  CHECK(hipMemcpy(values, host.data(), n * sizeof(float), hipMemcpyHostToDevice));
  // Each may start only after the one before it.
  for (int round = 0; round < 10; ++round) {
    work<<<n / 256, 256, 0, streams[round % 2]>>>(values, n, 100, 1.0f);
    work<<<n / 256, 256>>>(values, n, 1, 0.0f);
  }
  CHECK(hipGetLastError());
  CHECK(hipMemcpy(host.data(), values, n * sizeof(float), hipMemcpyDeviceToHost));
  for (float x : host)
    if (x != 1.5f)
      return std::printf("%g instead of 1.5\n", x), 1;
  for (hipStream_t stream : streams)
    CHECK(hipStreamDestroy(stream));
  CHECK(hipFree(values));
  return 0;
}

int events() {
  const int n = 1 << 16;
  float *values = nullptr, milliseconds = -1;
  hipEvent_t start, stop, other;
  hipStream_t first, second;
  CHECK(hipMalloc(&values, n * sizeof(float)));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  CHECK(hipEventCreateWithFlags(&other, hipEventDisableTiming));
  CHECK(hipStreamCreateWithFlags(&first, hipStreamNonBlocking));
  CHECK(hipStreamCreateWithFlags(&second, hipStreamNonBlocking));
  CHECK(hipMemsetAsync(values, 0, n * sizeof(float), first));
  CHECK(hipEventRecord(start, first));
  work<<<n / 256, 256, 0, first>>>(values, n, 2000, 0.0f);
  CHECK(hipEventRecord(stop, first));
  CHECK(hipStreamWaitEvent(second, stop, 0));
  work<<<n / 256, 256, 0, second>>>(values, n, 1, 1.0f);
  CHECK(hipLaunchHostFunc(second, [](void *data) { *static_cast<int *>(data) += 1; }, &called));
  CHECK(hipStreamSynchronize(second));
  CHECK(hipEventSynchronize(stop));
  CHECK(hipEventQuery(stop));
  CHECK(hipStreamQuery(first));
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  std::vector<float> host(n);
  CHECK(hipMemcpy(host.data(), values, n * sizeof(float), hipMemcpyDeviceToHost));
  if (called != 1 || !(milliseconds > 0) || host[n - 1] != 2.0f)
    return std::printf("called %d times, %g ms, %g\n", called, milliseconds, host[n - 1]), 1;
  CHECK(hipEventRecord(other, first));
  if (hipEventElapsedTime(&milliseconds, start, other) != hipErrorInvalidHandle)
    return std::puts("an event without times has one"), 1;
  hipGetLastError();
  CHECK(hipEventDestroy(start));
  CHECK(hipEventDestroy(stop));
  CHECK(hipEventDestroy(other));
  CHECK(hipStreamDestroy(first));
  CHECK(hipStreamDestroy(second));
  CHECK(hipFree(values));
  return 0;
}

int errors() {
  int count = 0, on_host = 0;
  CHECK(hipGetDeviceCount(&count));
  if (hipSetDevice(count) != hipErrorInvalidDevice || hipPeekAtLastError() != hipErrorInvalidDevice ||
      hipGetLastError() != hipErrorInvalidDevice || hipGetLastError() != hipSuccess)
    return std::puts("a device too many"), 1;
  work<<<1, 1 << 20>>>(nullptr, 0, 0, 0.0f);
  if (hipGetLastError() == hipSuccess || !std::strstr(sinter_last_error(), "work"))
    return std::printf("a block of 2^20: %s\n", sinter_last_error()), 1;
  work<<<0, 64>>>(nullptr, 0, 0, 0.0f);
  if (hipGetLastError() != hipErrorInvalidConfiguration)
    return std::puts("an empty grid"), 1;
  if (hipFree(&on_host) != hipErrorInvalidValue || hipMemcpyToSymbol(&on_host, &count, 4) != hipErrorInvalidSymbol)
    return std::puts("memory and variables of the host"), 1;
  if (hipStreamSynchronize(reinterpret_cast<hipStream_t>(&on_host)) != hipErrorInvalidHandle)
    return std::puts("a stream that is none"), 1;
  if (hipLaunchKernel(reinterpret_cast<const void *>(&errors), 1, 1, nullptr, 0, nullptr) !=
      hipErrorInvalidDeviceFunction)
    return std::puts("a kernel that is none"), 1;
  hipGetLastError();
  hipDeviceProp_t properties;
  CHECK(hipGetDeviceProperties(&properties, 0));
  return properties.name[0] == 0 || properties.maxThreadsPerBlock < 32;
}

int main() {
  if (null_stream_waits() || events() || errors())
    return 1;
  std::puts("PASS");
}
