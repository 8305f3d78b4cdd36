// The kernels of the patterns suite in SYCL 2020, beside peers/patterns.cu.
#include "gpu/sycl.hpp"

// The file of one pattern makes a small program.
#ifdef PATTERN_FILE
#include PATTERN_FILE
#else
#include "patterns/cells.hpp"
#include "patterns/convolution.hpp"
#include "patterns/exchange.hpp"
#include "patterns/graphs.hpp"
#include "patterns/grids.hpp"
#include "patterns/groups.hpp"
#include "patterns/gups.hpp"
#include "patterns/images.hpp"
#include "patterns/integers.hpp"
#include "patterns/matrices.hpp"
#include "patterns/multipole.hpp"
#include "patterns/options.hpp"
#include "patterns/permute.hpp"
#include "patterns/puzzles.hpp"
#include "patterns/radial.hpp"
#include "patterns/scatter.hpp"
#endif

#include "gpu/patterns/all.hpp"

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::sycl_device device;
  const auto tests = gpu::patterns::tests(device, chosen);
  return gpu::run(device, tests, chosen);
}
