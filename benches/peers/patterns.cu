// The kernels of the patterns suite in CUDA C++, the peers of cuda/patterns.cpp.
#include "gpu/cuda.cuh"

#include "patterns/cells.cuh"
#include "patterns/convolution.cuh"
#include "patterns/exchange.cuh"
#include "patterns/graphs.cuh"
#include "patterns/grids.cuh"
#include "patterns/groups.cuh"
#include "patterns/gups.cuh"
#include "patterns/images.cuh"
#include "patterns/integers.cuh"
#include "patterns/matrices.cuh"
#include "patterns/multipole.cuh"
#include "patterns/options.cuh"
#include "patterns/permute.cuh"
#include "patterns/puzzles.cuh"
#include "patterns/radial.cuh"
#include "patterns/scatter.cuh"

#include "gpu/patterns/all.hpp"

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  const auto tests = gpu::patterns::tests(device, chosen);
  return gpu::run(device, tests, chosen);
}
