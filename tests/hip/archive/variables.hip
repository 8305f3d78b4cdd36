// Variables of devices, and a function that only another member of the archive calls.
#include <hip/hip_runtime.h>

__device__ int calls = 0;
__constant__ int table[4] = {0, 10, 20, 30};
__managed__ int seen = 7;
__device__ int product(int x, int y) { return x * y; }
