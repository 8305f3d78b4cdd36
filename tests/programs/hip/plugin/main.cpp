// levels: 0 2
// options: -x hip
// library: library.cpp
// Kernels of a library that the program opens, twice, beside kernels of the same names.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <dlfcn.h>

__constant__ int offset = 1;
static __device__ int step(int x) { return x + offset; }
__global__ void run(int *out) { out[threadIdx.x] = step(static_cast<int>(threadIdx.x)); }

static int *out = nullptr;

static int check(const char *what, int by) {
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return std::printf("%s: %s\n", what, sinter_hip_last_message()), 1;
  for (int i = 0; i < 32; ++i)
    if (out[i] != i + by)
      return std::printf("%s: %d is %d\n", what, i, out[i]), 1;
  return 0;
}

int main(int, char **arguments) {
  if (hipMallocManaged(&out, 32 * sizeof(int)) != hipSuccess)
    return std::puts(sinter_hip_last_message()), 1;
  run<<<1, 32>>>(out);
  if (check("the program", 1))
    return 1;
  for (int round = 0; round < 2; ++round) {
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return std::puts(dlerror()), 1;
    const auto launch = reinterpret_cast<void (*)(int *)>(dlsym(library, "launch"));
    const auto kernel = *reinterpret_cast<const void **>(dlsym(library, "kernel"));
    launch(out);
    if (check("the library", 101))
      return 1;
    void *parameters[] = {&out};
    if (hipLaunchKernel(kernel, dim3(1), dim3(32), parameters, 0, nullptr) != hipSuccess || check("its handle", 101))
      return 1;
    run<<<1, 32>>>(out);
    if (check("the program again", 1))
      return 1;
    dlclose(library);
  }
  hipFree(out);
  std::puts("PASS");
}
