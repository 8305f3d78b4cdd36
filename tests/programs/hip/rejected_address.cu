// error: rejected_address.cu:6:
// Addresses are those of the host.

__device__ int number = 1;
struct List { int count; const int *numbers[2]; };
__constant__ List list = {1, {&number, nullptr}};

__global__ void read(int *out) { *out = *list.numbers[0]; }
int main() { read<<<1, 1>>>(nullptr); }
