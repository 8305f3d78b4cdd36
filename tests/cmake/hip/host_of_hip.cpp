#include <hip/hip_runtime.h>

#include <cstdio>

#ifndef __HIP_PLATFORM_AMD__
#error "which HIP is this?"
#endif

int main() {
  int x = 5, y = 0, *memory = nullptr;
  if (hipMalloc(&memory, sizeof x) != hipSuccess || hipMemcpy(memory, &x, sizeof x, hipMemcpyHostToDevice) ||
      hipMemcpy(&y, memory, sizeof y, hipMemcpyDeviceToHost) || hipFree(memory))
    return 1;
  std::printf("result: %d\n", y);
}
