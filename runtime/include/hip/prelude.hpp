// Included by sinter-cc before the sources of a command line with HIP. Of these some may be host
// code, for which it is empty. Warnings are for the program's own code.
#pragma clang system_header
#ifdef __HIP__
#define __HIPCC__ 1
// `__HIP_DEVICE_COMPILE__` in code for devices alone.
#define __sinter_hip_compiling 1
#include "hip_runtime.h"
#endif
