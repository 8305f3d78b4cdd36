// levels: 0 2
// Initial values of all kinds, static variables of device functions, and the reset of a device.
#include <hip/hip_runtime.h>

#include <cstdio>

#define CHECK(call)                                                                                                   \
  if (hipError_t error = call)                                                                                       \
  return std::printf("%s: %s, %s\n", #call, hipGetErrorString(error), sinter_hip_last_message()), 1

struct Point {
  float x, y;
  constexpr Point(float x, float y) : x(x), y(2 * y) {}
};
struct Base {
  int base = 3;
};
struct Derived : Base {
  int own[4] = {1, 2};
  const char *none = nullptr;
};
__device__ Point point(1, 2);
__constant__ Derived derived;
__device__ int zero, *nothing = nullptr;
template <class T> __device__ T general(12);
template <> __device__ char general<char> = 34;
class Owner {
public:
  static __device__ int member;
};
__device__ int Owner::member = 5;

__device__ int count_up() {
  static int calls = 100;
  return ++calls;
}
__global__ void read(int *out) {
  static int down = 10;
  static const int table[3] = {7, 8, 9};
  out[0] = static_cast<int>(point.x + point.y);
  out[1] = derived.base + derived.own[1] + (derived.none == nullptr);
  out[2] = zero++ + (nothing == nullptr);
  out[3] = ++general<int> + general<char>;
  out[4] = Owner::member++;
  out[5] = count_up() + count_up();
  out[6] = down--;
  out[7] = table[out[6] % 3];
}

static int check(int *out, int round) {
  read<<<1, 1>>>(out);
  CHECK(hipGetLastError());
  int host[8];
  CHECK(hipMemcpy(host, out, sizeof host, hipMemcpyDeviceToHost));
  const int wanted[8] = {5, 6, 1 + round, 47 + round, 5 + round, 203 + 4 * round, 10 - round, 7 + (10 - round) % 3};
  for (int i = 0; i < 8; ++i)
    if (host[i] != wanted[i])
      return std::printf("round %d: %d is %d instead of %d\n", round, i, host[i], wanted[i]), 1;
  return 0;
}

int main() {
  int *out = nullptr;
  CHECK(hipMalloc(&out, 8 * sizeof(int)));
  if (check(out, 0) || check(out, 1))
    return 1;
  CHECK(hipDeviceReset());
  CHECK(hipMalloc(&out, 8 * sizeof(int)));
  if (check(out, 0) || check(out, 1))
    return 1;
  CHECK(hipFree(out));
  std::puts("PASS");
}
