// Declarations that the two units share.
#pragma once
#include <hip/hip_runtime.h>

extern __device__ int counter;
extern __constant__ int table[4];
__device__ int of_other_unit(int x);
__global__ void there(int *out);
void launch_there(int *out);
