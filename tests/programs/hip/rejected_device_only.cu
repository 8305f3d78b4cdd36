// error: the variable `only` is another one when the source is parsed for devices, or is there only
// options: --sinter-device-pass
// A variable of devices is there for the host, too.
#ifdef __CUDA_ARCH__
__device__ int only[4] = {1, 2, 3, 4};
#endif
__host__ __device__ int element(int i) {
#ifdef __CUDA_ARCH__
  return only[i];
#else
  return i;
#endif
}
__global__ void read(int *out) { *out = element(threadIdx.x); }

int main() { read<<<1, 1>>>(nullptr); }
