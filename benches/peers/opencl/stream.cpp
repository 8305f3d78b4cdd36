// The peer of cuda/stream.cpp in OpenCL C. If Sinter chooses the work-group size, so does the
// device, and additional tests have other sizes.
#include "gpu/stream.hpp"
#include "opencl/sizes.hpp"
#include "opencl/sums.hpp"

namespace {

using data = gpu::stream::arrays<opencl::device>;
using opencl::extent;

class kernels {
public:
  static constexpr bool has_library = true;

  explicit kernels(opencl::device &target)
      : device(target),
        sums(target, "#define TYPE double\n#define VALUE(a, b, i) (a[i] * b[i])\n", gpu::stream::reduction_groups) {
    const opencl::program_id program = device.build(opencl::source("stream.cl"));
    copy = opencl::kernel(program, "copy");
    mul = opencl::kernel(program, "mul");
    add = opencl::kernel(program, "add");
    triad = opencl::kernel(program, "triad");
  }

  void plain(const data &d) { device.copy(d.c, d.a, d.count * sizeof(double)); }
  void copy_range(const data &d) { one(copy, d, chosen); }
  void mul_range(const data &d) { one(mul, d, chosen); }
  void add_range(const data &d) { two(add, d, chosen); }
  void triad_range(const data &d) { two(triad, d, chosen); }
  void copy_groups(const data &d) { one(copy, d, &usual); }
  void mul_groups(const data &d) { one(mul, d, &usual); }
  void add_groups(const data &d) { two(add, d, &usual); }
  void triad_groups(const data &d) { two(triad, d, &usual); }
  void dot(const data &d) { sums.tree(d.a, d.b, d.sum, d.count); }
  void dot_library(const data &d) { sums.builtin(d.a, d.b, d.sum, d.count); }
  std::string copy_chosen(const data &) { return ""; }
  std::string mul_chosen(const data &) { return ""; }
  std::string add_chosen(const data &) { return ""; }
  std::string triad_chosen(const data &) { return ""; }

  const extent *chosen = nullptr;

private:
  void one(opencl::kernel_id kernel, const data &d, const extent *group) {
    device.launch(kernel, {d.count}, group, d.a, d.c);
  }
  void two(opencl::kernel_id kernel, const data &d, const extent *group) {
    device.launch(kernel, {d.count}, group, d.a, d.b, d.c);
  }

  opencl::device &device;
  extent usual = {gpu::stream::group_size};
  opencl::sums<double> sums;
  opencl::kernel_id copy, mul, add, triad;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  opencl::device device;
  kernels peer(device);
  std::vector<gpu::test> tests = gpu::stream::tests(device, peer, gpu::stream::elements(chosen));
  for (const char *name : {"copy", "mul", "add", "triad"})
    opencl::add_sizes(tests, name, peer.chosen, {{"_64", {64}}, {"_1024", {1024}}, {"_4096", {4096}}});
  return gpu::run(device, tests, chosen);
}
