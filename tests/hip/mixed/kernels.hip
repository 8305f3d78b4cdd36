// The unit in HIP, whose kernel has the name of that in CUDA.
#include <hip/hip_runtime.h>

#include <cstdio>

static __global__ void add(int *values, int count, int by) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count)
    values[i] += by;
}

int *allocate(int count) {
  int *values = nullptr;
  return hipMallocManaged(&values, count * sizeof(int)) == hipSuccess ? values : nullptr;
}
void release(int *values) { static_cast<void>(hipFree(values)); }

void add_in_hip(int *values, int count, int by) {
  add<<<(count + 63) / 64, 64>>>(values, count, by);
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    std::puts(sinter_hip_last_message());
}
