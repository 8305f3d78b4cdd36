// Forwards to the API of CUDA.
#include "cuda_runtime.h"
