// The peer of cuda/first.cpp, with code that nvcc embedded in the program.
#include "gpu/cuda.cuh"

namespace {

constexpr std::size_t elements = 1024, repeats = 101;

__global__ void triad(double *a, const double *b, const double *c) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < elements)
    a[i] = b[i] + 0.4 * c[i];
}

void run(double *a, const double *b, const double *c) {
  gpu::launch(triad, gpu::groups(elements, 128), 128, a, b, c);
  gpu::must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

} // namespace

int main() {
  const double start = bench::now();
  double *a = nullptr;
  gpu::must(cudaMalloc(&a, 3 * elements * sizeof(double)), "cudaMalloc");
  const double *b = a + elements, *c = b + elements;
  std::vector<double> host(3 * elements);
  for (std::size_t i = 0; i < host.size(); i++)
    host[i] = double(i % elements) - 7;
  gpu::must(cudaMemcpy(a, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice), "cudaMemcpy");
  const double ready = bench::now();
  run(a, b, c);
  const double done = bench::now();
  std::vector<double> repeat;
  for (std::size_t i = 0; i < repeats; i++)
    repeat.push_back(bench::seconds([&] { run(a, b, c); }));
  bench::emit("context", "s", {ready - start});
  bench::emit("first", "s", {done - ready});
  bench::emit("repeat", "s", repeat);
}
