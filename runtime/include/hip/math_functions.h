// Forwards to the API of HIP.
#include "hip_runtime.h"
