// Code for both sides calls functions of which the two sides have different overloads.
#include <cstdio>

int other(long) { return 1; }
__device__ int other(int) { return 2; }
__host__ __device__ int calls_other(int x) { return other(x); } // line 6: a warning

int same(int) { return 3; }
__device__ int same(int) { return 4; }
__host__ __device__ int calls_same(int x) { return same(x); }

int alone(int) { return 5; }
__host__ __device__ int calls_alone(int x) { return alone(x); }

int further(int) { return 6; }
__device__ int further(int, int, int) { return 7; }
__host__ __device__ int calls_further(int x) { return further(x); }

struct Number {
  int x;
  int get(long) const { return x; }
  __device__ int get(int) const { return -x; }
};
template <class Type> __host__ __device__ int calls_member(Type number) { return number.get(0); } // line 24: one

__global__ void kernel(int *x) { *x = calls_other(1) + calls_same(1) + calls_further(1) + calls_member(Number{8}); }

int main() { std::printf("%d\n", calls_alone(1) + calls_member(Number{8})); }
