// error: the variable `value` is another one when the source is parsed for devices
// options: --sinter-device-pass
// A variable of devices begins with the same value for the host and for devices.
#ifdef __CUDA_ARCH__
#define VALUE 2
#else
#define VALUE 1
#endif
__device__ int value = VALUE;
__global__ void read(int *out) { *out = value; }

int main() { read<<<1, 1>>>(nullptr); }
