// `__half`, `__half2` and their functions.
#ifndef HIP_HIP_FP16_H
#define HIP_HIP_FP16_H

#include "detail/half.hpp"

#endif
