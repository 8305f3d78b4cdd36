// The API of HIP, and in files that are compiled as HIP or CUDA device code's functions.
#ifndef HIP_HIP_RUNTIME_H
#define HIP_HIP_RUNTIME_H

#include "hip_runtime_api.h"

// Programs rely on what the compilers of HIP and CUDA include.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __cplusplus
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifndef SINTER_HIP_IS_CUDA
#include <thread>
#endif
#endif

#ifdef __HIP__
#include "detail/clock.hpp"
#include "detail/closure.hpp"
#include "detail/indices.hpp"
#include "detail/math.hpp"
#include "detail/memory_kinds.hpp"
#include "detail/synchronize.hpp"
#include "detail/warp.hpp"
#endif

#endif

// Outside the guard: the compiler includes this file before the program's first line.
#if defined(HIP_TEMPLATE_KERNEL_LAUNCH) && defined(hipLaunchKernelGGL)
#undef hipLaunchKernelGGL
#endif
