// Subnormal numbers of float, which a device may take for zeros.
#ifndef PROGRAMS_HIP_FLUSHES_HPP
#define PROGRAMS_HIP_FLUSHES_HPP

#include <cfloat>
#include <cmath>

// True for numbers that are subnormal before or behind their rounding.
inline bool is_tiny(double x) { return x != 0 && std::fabs(x) <= FLT_MIN; }

// For a kernel: finds out whether the device does so, from `FLT_MIN` in `x[0]`.
__device__ inline void find_flushes(float *x) { x[1] = x[0] * 0.5f == 0; }

#endif
