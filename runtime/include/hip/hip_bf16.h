// `__hip_bfloat16`, `__hip_bfloat162` and their functions.
#ifndef HIP_HIP_BF16_H
#define HIP_HIP_BF16_H

#include "detail/bfloat16.hpp"

#endif
