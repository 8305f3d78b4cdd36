// The peer of cuda/launch.cpp: plain cuLaunchKernel, with an array of argument addresses.
#include "gpu/cuda.cuh"

#include <cuda.h>

namespace {

__global__ void one(std::uint64_t *out) {
  if (reinterpret_cast<std::uintptr_t>(out) == 1)
    *out = 1;
}
__global__ void four(std::uint64_t *out, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t sum = a ^ b ^ c;
  if (sum == 1)
    *out = sum;
}
__global__ void sixteen(std::uint64_t *out, std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d,
                        std::uint64_t e, std::uint64_t f, std::uint64_t g, std::uint64_t h, std::uint64_t i,
                        std::uint64_t j, std::uint64_t k, std::uint64_t l, std::uint64_t m, std::uint64_t n,
                        std::uint64_t o) {
  const std::uint64_t sum = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h ^ i ^ j ^ k ^ l ^ m ^ n ^ o;
  if (sum == 1)
    *out = sum;
}

void must(CUresult status, const char *what) {
  if (status == CUDA_SUCCESS)
    return;
  std::fprintf(stderr, "%s failed with %d\n", what, int(status));
  std::exit(1);
}

// Looks up a function of the driver, which is not linked.
template <class F> F of_driver(const char *name, unsigned version) {
  void *found = nullptr;
  cudaDriverEntryPointQueryResult status = cudaDriverEntryPointSymbolNotFound;
  gpu::must(cudaGetDriverEntryPointByVersion(name, &found, version, cudaEnableDefault, &status), name);
  return reinterpret_cast<F>(found);
}

// cuda.h declares the functions; only their types are used.
using launch_type = decltype(&cuLaunchKernel);
using wait_type = decltype(&cuStreamSynchronize);
using create_type = decltype(&cuStreamCreate);

class stream {
public:
  stream()
      : launch(of_driver<launch_type>("cuLaunchKernel", 4000)),
        wait(of_driver<wait_type>("cuStreamSynchronize", 2000)) {
    must(of_driver<create_type>("cuStreamCreate", 2000)(&handle, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  }
  void start(CUfunction function, void **arguments) const {
    must(launch(function, 1, 1, 1, 1, 1, 1, 0, handle, arguments, nullptr), "cuLaunchKernel");
  }
  void finish() const { must(wait(handle), "cuStreamSynchronize"); }

private:
  launch_type launch;
  wait_type wait;
  CUstream handle = nullptr;
};

template <class Kernel> CUfunction function_of(Kernel kernel) {
  cudaFunction_t function = nullptr;
  gpu::must(cudaGetFuncBySymbol(&function, reinterpret_cast<const void *>(kernel)), "cudaGetFuncBySymbol");
  return function;
}

struct device {
  void wait() { on.finish(); }
  std::string name() const { return memory.name(); }
  bool is_gpu() const { return true; }

  gpu::cuda_device memory;
  stream on;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  device target;
  std::uint64_t *out = target.memory.allocate<std::uint64_t>(1);
  std::uint64_t given[15];
  void *arguments[16] = {&out};
  for (int i = 0; i < 15; i++) {
    given[i] = 2 * i;
    arguments[i + 1] = &given[i];
  }
  std::vector<gpu::test> tests;
  const auto add = [&](const std::string &count, CUfunction function) {
    const auto launch = [&target, function, &arguments] { target.on.start(function, arguments); };
    tests.push_back({"async" + count, launch, {}, {}, 0, 0, gpu::timing::submission});
    tests.push_back({"sync" + count, launch, {}, {}, 0, 0, gpu::timing::completion});
  };
  add("1", function_of(one));
  add("4", function_of(four));
  add("16", function_of(sixteen));
  return gpu::run(target, tests, chosen);
}
