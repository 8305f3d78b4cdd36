// The kernels of special.cpp whose values are arguments like others, so that code for them is made
// once the runtime has seen that they repeat (SINTER_JIT_SPECIALIZE).
//
// With `--slowest` the program prints how long the slowest thousandth of the launches took, from
// the second launch of each kernel on.
#define OBSERVED
#include "special.cpp"

#include <sinter/jit.hpp>

namespace {

// Launches until code for the values was made and compared with code for all values.
void settle(gpu::sycl_device &device, const std::vector<gpu::test> &tests) {
  for (const gpu::test &one : tests)
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 64; i++) {
        one.launch();
        device.wait();
      }
      sinter::wait_for_jit();
    }
}

int print_slowest(gpu::sycl_device &device, const std::vector<gpu::test> &tests) {
  constexpr int launches = 4000;
  std::vector<double> taken;
  for (const gpu::test &one : tests) {
    one.launch();
    for (int i = 0; i < launches; i++) {
      // A short queue, whose length is no reason to wait.
      if (i % 32 == 0)
        device.wait();
      taken.push_back(bench::seconds([&] { one.launch(); }));
    }
  }
  device.wait();
  std::sort(taken.begin(), taken.end());
  bench::emit("slowest", "s", {taken[taken.size() - taken.size() / 1000]});
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  const bool slowest = argc == 2 && !std::strcmp(argv[1], "--slowest");
  gpu::options chosen;
  if (!slowest)
    chosen = gpu::parse(argc, argv);
  else
    chosen.sizes = gpu::scale::quick;
  gpu::sycl_device device;
  kernels ours(device.queue);
  gpu::special::suite suite(device, ours, gpu::special::sizes::of(chosen));
  const std::vector<gpu::test> tests = suite.tests();
  if (slowest)
    return print_slowest(device, tests);
  settle(device, tests);
  return gpu::run(device, tests, chosen);
}
