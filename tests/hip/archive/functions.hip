// Functions of devices.
#include <hip/hip_runtime.h>

class Scale {
public:
  __host__ __device__ explicit Scale(int by) : by(by) {}
  __device__ int apply(int x) const;

private:
  int by;
};

__device__ int product(int x, int y);
__device__ int squared(int x) { return product(x, x); }
__device__ int Scale::apply(int x) const { return product(by, x); }
