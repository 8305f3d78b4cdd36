// levels: 2
// The legacy rule: the null stream waits for blocking streams and they for it; non-blocking streams
// do neither. Host functions that block show the order without measuring time.
#include <hip/hip_runtime.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>

#define CHECK(call)                                                                                                   \
  if (hipError_t error = call)                                                                                       \
  return std::printf("%s: %s, %s\n", #call, hipGetErrorString(error), sinter_hip_last_message()), 1

__global__ void append(int *log, int *count, int number) { log[(*count)++] = number; }

// Holds up a stream until `open` is called.
struct Gate {
  std::atomic<bool> is_open{false}, is_reached{false};
  static void wait(void *self) {
    Gate &gate = *static_cast<Gate *>(self);
    gate.is_reached = true;
    while (!gate.is_open)
      std::this_thread::yield();
  }
};

static int *entries = nullptr, *count = nullptr;

static void open_later(Gate &gate) {
  std::thread([&gate] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    gate.is_open = true;
  }).detach();
}

static int expect(const char *what, int length, const int *wanted) {
  if (*count != length)
    return std::printf("%s: %d entries\n", what, *count), 1;
  for (int i = 0; i < length; ++i)
    if (entries[i] != wanted[i])
      return std::printf("%s: entry %d is %d instead of %d\n", what, i, entries[i], wanted[i]), 1;
  return *count = 0;
}

// Blocking streams before and after a command of the null stream.
int blocking() {
  hipStream_t first, second;
  CHECK(hipStreamCreate(&first));
  CHECK(hipStreamCreateWithFlags(&second, hipStreamDefault));
  static Gate gate;
  CHECK(hipLaunchHostFunc(first, Gate::wait, &gate));
  append<<<1, 1, 0, first>>>(entries, count, 1);
  append<<<1, 1>>>(entries, count, 2);
  append<<<1, 1, 0, second>>>(entries, count, 3);
  append<<<1, 1, 0, hipStreamLegacy>>>(entries, count, 4);
  append<<<1, 1, 0, first>>>(entries, count, 5);
  CHECK(hipGetLastError());
  if (hipStreamQuery(second) != hipErrorNotReady || hipStreamQuery(nullptr) != hipErrorNotReady)
    return std::puts("a stream did not wait"), 1;
  open_later(gate);
  CHECK(hipDeviceSynchronize());
  CHECK(hipStreamQuery(second));
  CHECK(hipStreamDestroy(first));
  CHECK(hipStreamDestroy(second));
  return expect("blocking streams", 5, std::initializer_list<int>{1, 2, 3, 4, 5}.begin());
}

// Neither the null stream nor a blocking one waits for a non-blocking stream, or it for them.
int non_blocking() {
  hipStream_t free, ordered;
  CHECK(hipStreamCreateWithFlags(&free, hipStreamNonBlocking));
  CHECK(hipStreamCreate(&ordered));
  static Gate gate, other;
  CHECK(hipLaunchHostFunc(free, Gate::wait, &gate));
  append<<<1, 1, 0, ordered>>>(entries, count, 1);
  append<<<1, 1>>>(entries, count, 2);
  CHECK(hipStreamSynchronize(nullptr));
  CHECK(hipStreamSynchronize(ordered));
  if (hipStreamQuery(free) != hipErrorNotReady)
    return std::puts("the gate is open"), 1;
  gate.is_open = true;
  CHECK(hipStreamSynchronize(free));
  CHECK(hipLaunchHostFunc(nullptr, Gate::wait, &other));
  append<<<1, 1, 0, free>>>(entries, count, 3);
  CHECK(hipStreamSynchronize(free));
  other.is_open = true;
  CHECK(hipDeviceSynchronize());
  CHECK(hipStreamDestroy(free));
  CHECK(hipStreamDestroy(ordered));
  return expect("a non-blocking stream", 3, std::initializer_list<int>{1, 2, 3}.begin());
}

// A copy that waits for its end belongs to the null stream.
int copies() {
  hipStream_t stream;
  CHECK(hipStreamCreate(&stream));
  static Gate gate;
  int *device = nullptr, host = 0;
  CHECK(hipMalloc(&device, sizeof *device));
  CHECK(hipMemset(device, 0, sizeof *device));
  CHECK(hipLaunchHostFunc(stream, Gate::wait, &gate));
  CHECK(hipMemsetAsync(device, 1, sizeof *device, stream));
  open_later(gate);
  CHECK(hipMemcpy(&host, device, sizeof host, hipMemcpyDeviceToHost));
  CHECK(hipStreamDestroy(stream));
  CHECK(hipFree(device));
  return host == 0x01010101 ? 0 : (std::printf("copied %x\n", static_cast<unsigned>(host)), 1);
}

// Events order non-blocking streams, and take the time on the null stream.
int events() {
  hipStream_t streams[3];
  hipEvent_t event, start, stop;
  static Gate gate;
  CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  CHECK(hipEventCreate(&start));
  CHECK(hipEventCreate(&stop));
  for (hipStream_t &stream : streams)
    CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  CHECK(hipLaunchHostFunc(streams[0], Gate::wait, &gate));
  append<<<1, 1, 0, streams[0]>>>(entries, count, 1);
  CHECK(hipEventRecord(event, streams[0]));
  CHECK(hipStreamWaitEvent(streams[1], event, 0));
  append<<<1, 1, 0, streams[1]>>>(entries, count, 2);
  CHECK(hipEventRecord(start, nullptr));
  CHECK(hipEventRecord(stop, nullptr));
  CHECK(hipEventSynchronize(stop));
  if (hipEventQuery(event) != hipErrorNotReady || hipStreamQuery(streams[1]) != hipErrorNotReady)
    return std::puts("an event came too early"), 1;
  CHECK(hipStreamQuery(streams[2]));
  float milliseconds = -1;
  CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  open_later(gate);
  CHECK(hipStreamSynchronize(streams[1]));
  CHECK(hipEventQuery(event));
  for (hipStream_t stream : streams)
    CHECK(hipStreamDestroy(stream));
  if (milliseconds < 0)
    return std::printf("%g ms\n", milliseconds), 1;
  return expect("events", 2, std::initializer_list<int>{1, 2}.begin());
}

static std::atomic<int> called{0};
static void on_completion(hipStream_t, hipError_t status, void *data) {
  called = status == hipSuccess ? *static_cast<int *>(data) : -1;
}
int callbacks() {
  hipStream_t stream;
  int data = 42, least = 0, greatest = 0, priority = -1;
  unsigned flags = 9;
  CHECK(hipDeviceGetStreamPriorityRange(&least, &greatest));
  CHECK(hipStreamCreateWithPriority(&stream, hipStreamNonBlocking, greatest));
  CHECK(hipStreamGetPriority(stream, &priority));
  CHECK(hipStreamGetFlags(stream, &flags));
  CHECK(hipStreamAddCallback(stream, on_completion, &data, 0));
  CHECK(hipStreamSynchronize(stream));
  CHECK(hipStreamDestroy(stream));
  if (called != 42 || priority != greatest || flags != hipStreamNonBlocking)
    return std::printf("%d %d %u\n", called.load(), priority, flags), 1;
  if (hipStreamDestroy(stream) != hipErrorInvalidHandle || hipGetLastError() != hipErrorInvalidHandle)
    return std::puts("a stream was destroyed twice"), 1;
  return 0;
}

int main() {
  CHECK(hipMallocManaged(&entries, 16 * sizeof(int)));
  CHECK(hipMallocManaged(&count, sizeof(int)));
  *count = 0;
  if (blocking() || non_blocking() || copies() || events() || callbacks())
    return 1;
  CHECK(hipFree(entries));
  CHECK(hipFree(count));
  std::puts("PASS");
}
