// error: the kernel `other(int*, int)` is another one when the source is parsed for devices
// options: --sinter-device-pass
// A kernel has the same parameters for the host and for devices.
#ifdef __CUDA_ARCH__
using number = long;
#else
using number = int;
#endif
__global__ void other(number *out, number x) { *out = x; }

int main() { other<<<1, 1>>>(nullptr, 1); }
