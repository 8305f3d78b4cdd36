#include "shared.hpp"

__device__ Counted::Counted(int x) : v(10 * x) {}
__device__ int Counted::get() const { return v; }

template <class Type> __device__ Type generic(Type x) { return 10 * x; }
template __device__ int generic(int);
template __device__ long generic(long);

int side(int x) { return x + 1; }
__device__ int side(int x) { return x + 100; }
__device__ int apart(int x) { return x + 100; }

__global__ void there(int *out) { *out = side(0) + apart(0); }
void in_other_unit(int *out) { there<<<1, 1>>>(out); }
