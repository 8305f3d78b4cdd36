// error: rejected_variable.hip:8:
// Device code may not read a variable of the host.
#include <hip/hip_runtime.h>

static int on_host = 1;

__global__ void read(int *out) {
  *out = on_host;
}
int main() {
  ++on_host;
  read<<<1, 1>>>(nullptr);
}
