// Forwards to the cooperative groups of HIP.
#include "cuda_runtime.h"

#include "../hip/hip_cooperative_groups.h"
