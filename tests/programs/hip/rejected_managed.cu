// error: rejected_managed.cu:4:
// What is not supported is an error with its line.

__managed__ int everywhere = 1;

__global__ void read(int *out) { *out = everywhere; }
int main() { read<<<1, 1>>>(nullptr); }
