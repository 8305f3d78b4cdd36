// The peer of cuda/fixed.cpp in OpenCL C (fixed.cl).
#include "gpu/fixed.hpp"
#include "opencl/sizes.hpp"
#include "opencl/sums.hpp"

namespace {

using namespace gpu::fixed;
using opencl::extent;

class kernels {
public:
  static constexpr bool has_library = true;

  explicit kernels(opencl::device &target)
      : device(target), sums(target, "#define TYPE float\n#define VALUE(a, b, i) a[i]\n", striding_groups),
        parts(target.allocate<float>(striding_groups)), program(target.build(opencl::source("fixed.cl"))) {}

  template <int Tile> void matmul(const float *a, const float *b, float *c, std::size_t n) {
    const extent group = {Tile, Tile};
    device.launch(Tile == 16 ? matmul16 : matmul32, {n, n}, &group, a, b, c, int(n));
  }
  // Indexing of a two-dimensional array is the same as in matmul.
  void matmul_2d(const float *a, const float *b, float *c, std::size_t n) { matmul<16>(a, b, c, n); }
  void nbody(const body *from, body *to, std::size_t n) { device.launch(near, {n}, &usual, from, to, int(n)); }
  void nbody_tiled(const body *from, body *to, std::size_t n) {
    device.launch(near_tiled, {n}, &usual, from, to, int(n));
  }
  void stencil7(const float *in, float *out, std::size_t side) { grid(faces, in, out, side, &block); }
  void stencil7_range(const float *in, float *out, std::size_t side) { grid(faces, in, out, side, chosen); }
  void stencil27(const float *in, float *out, std::size_t side) { grid(cube, in, out, side, &block); }
  std::string stencil7_chosen(const float *, float *, std::size_t) { return ""; }
  void sum(const float *in, float *total, std::size_t n) { sums.tree(in, in, total, n); }
  void sum_library(const float *in, float *total, std::size_t n) { sums.builtin(in, in, total, n); }
  void sum_tree(const float *in, float *total, std::size_t n) {
    device.launch(tree, {striding_groups * group_size}, &usual, in, parts, std::uint32_t(n));
    device.launch(tree, {group_size}, &usual, parts, total, std::uint32_t(striding_groups));
  }
  void histogram(const std::uint32_t *in, std::uint32_t *counted, std::size_t n) {
    device.fill(counted, std::uint32_t(0), bins * sizeof *counted);
    device.launch(counts, {striding_groups * group_size}, &usual, in, counted, std::uint32_t(n));
  }
  void black_scholes(const float *price, const float *strike, const float *years, float *call, float *put,
                     std::size_t n) {
    device.launch(options, {n}, &usual, price, strike, years, call, put);
  }
  template <class T> void mandelbrot(int *out, std::size_t side) {
    const extent group = {16, 16};
    device.launch(sizeof(T) == 4 ? picture_f32 : picture_f64, {side, side}, &group, out, int(side));
  }

  const extent *chosen = nullptr;

private:
  void grid(opencl::kernel_id kernel, const float *in, float *out, std::size_t side, const extent *group) {
    device.launch(kernel, {side, side, side}, group, in, out, int(side));
  }
  opencl::kernel_id named(const char *name) const { return opencl::kernel(program, name); }

  opencl::device &device;
  extent usual = {group_size}, block = {block_x, block_y, block_z};
  opencl::sums<float> sums;
  float *parts;
  opencl::program_id program;
  opencl::kernel_id matmul16 = named("matmul16"), matmul32 = named("matmul32"), near = named("nbody"),
                    near_tiled = named("nbody_tiled"), faces = named("stencil7"), cube = named("stencil27"),
                    tree = named("sum_tree"), counts = named("histogram"), options = named("black_scholes"),
                    picture_f32 = named("mandelbrot_f32"), picture_f64 = named("mandelbrot_f64");
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  opencl::device device;
  kernels peer(device);
  gpu::fixed::suite suite(device, peer, gpu::fixed::sizes::of(chosen));
  std::vector<gpu::test> tests = suite.tests();
  opencl::add_sizes(tests, "stencil7_range", peer.chosen, {{"_row", {32, 1, 1}}, {"_tile", {32, 8, 1}}});
  return gpu::run(device, tests, chosen);
}
