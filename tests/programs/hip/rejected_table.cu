// error: rejected_table.cu:6:22: error: the initial value of the device variable 'operations' has the address
// A table of functions, whose addresses would be the host's.

__device__ int twice(int x) { return 2 * x; }
using operation = int (*)(int);
__device__ operation operations[] = {twice};

__global__ void use(int *x) { *x = operations[0](*x); }

int main() { use<<<1, 1>>>(nullptr); }
