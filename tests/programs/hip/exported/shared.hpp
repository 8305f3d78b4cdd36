#pragma once
#include <hip/hip_runtime.h>

class Counted {
public:
  __device__ Counted(int x);
  __device__ int get() const;

private:
  int v;
};

template <class Type> __device__ Type generic(Type x);
extern template __device__ int generic(int);
extern template __device__ long generic(long);

__host__ int side(int x);
__device__ int side(int x);
void in_other_unit(int *out);
