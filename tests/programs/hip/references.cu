// Kernels may take objects in shared memory by reference.
#include <cstdio>
#include <new>

struct Counter {
  int value, steps[3];
  __host__ __device__ void add(int n) { value += n; }
};

__global__ void count(Counter &counter, const int &step) {
  counter.add(step);
  counter.steps[threadIdx.x] = step + static_cast<int>(threadIdx.x);
}

template <class Type> __global__ void scale(Type &&value, float by) { value *= by; }

int main() {
  Counter *counter = nullptr;
  int *step = nullptr;
  float *number = nullptr;
  cudaMallocManaged(&counter, sizeof *counter);
  cudaMallocManaged(&step, sizeof *step);
  cudaMallocManaged(&number, sizeof *number);
  *counter = {5, {}};
  *step = 7, *number = 1.5F;
  count<<<1, 1>>>(*counter, *step);
  scale<float &><<<1, 1>>>(*number, 4.0F);
  const cudaError_t code = cudaDeviceSynchronize();
  const bool right = code == cudaSuccess && counter->value == 12 && counter->steps[0] == 7 && *number == 6.0F;
  std::puts(right ? "PASS" : "FAIL");
}
