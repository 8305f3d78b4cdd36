// The headers of HIP in C.
#include <hip/hip_runtime.h>

int hip_device_count(void) {
  int count = -1;
  return hipGetDeviceCount(&count) == hipSuccess ? count : -1;
}
