// Kernels that destructors of variables of the program and of its threads launch.
// devices: host
#include <cstdio>
#include <thread>

__global__ void count(int *o) { atomicAdd(o, 1); }

struct Launches {
  int *o = nullptr;
  const char *last = nullptr;
  ~Launches() {
    if (!o)
      return;
    cudaDeviceSynchronize(); // The launch of the function may still run.
    *o = 0;
    count<<<3, dim3(5, 7)>>>(o);
    const cudaError_t launched = cudaGetLastError(), ran = cudaDeviceSynchronize();
    if (launched != cudaSuccess || ran != cudaSuccess || *o != 105)
      std::printf("%d %d %d\n", launched, ran, *o), last = "FAIL";
    if (last)
      std::puts(last), std::fflush(stdout);
  }
};

Launches of_program;
thread_local Launches of_thread;

int main() {
  int *o = nullptr;
  if (cudaMallocManaged(&o, sizeof *o) != cudaSuccess)
    return std::puts("no memory"), 1;
  std::thread([&] {
    of_thread.o = o;
    count<<<1, 1>>>(o);
  }).join();
  count<<<1, 1>>>(o);
  of_program.o = o;
  of_program.last = "PASS";
}
