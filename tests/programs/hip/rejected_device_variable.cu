// error: the variable `table` is another one when the source is parsed for devices
// options: --sinter-device-pass
// A variable of devices has the same size for the host and for devices.
#ifdef __CUDA_ARCH__
#define SIZE 4096
#else
#define SIZE 1
#endif
__device__ int table[SIZE];
__global__ void fill() { table[threadIdx.x] = threadIdx.x; }

int main() { fill<<<1, 64>>>(); }
