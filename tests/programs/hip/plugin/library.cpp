// A library with a kernel, a function and a variable that have the names of the program's.
#include <hip/hip_runtime.h>

__constant__ int offset = 100;
static __device__ int step(int x) { return x + offset + 1; }
__global__ static void run(int *out) { out[threadIdx.x] = step(static_cast<int>(threadIdx.x)); }

extern "C" void launch(int *out) { run<<<1, 32>>>(out); }
extern "C" const void *const kernel;
const void *const kernel = reinterpret_cast<const void *>(static_cast<void (*)(int *)>(run));
