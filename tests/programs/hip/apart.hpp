// A launch as tools that format C++ write it, in a file that another one includes.
#pragma once

template <class Type> struct Sized {
  Type value;
};

template <class Type> __global__ void fill(Type *p, int value) { p[blockIdx.x * blockDim.x + threadIdx.x].value = value; }

inline void fill_all(Sized<Sized<int>> *p, int n) {
  fill << < dim3(n / 32), 32 >> > (reinterpret_cast<Sized<int> *>(p), 3);
}
