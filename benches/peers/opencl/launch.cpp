// The peer of cuda/launch.cpp: plain clEnqueueNDRangeKernel, with clFinish or clFlush.
//
// Every launch sets the arguments, like Sinter's; in the tests that end with _kept they are set
// once.
#include "opencl/device.hpp"

namespace {

struct launcher {
  opencl::device &device;
  opencl::kernel_id kernel;
  std::uint64_t *out;
  opencl::word count;

  void set() const {
    device.set(kernel, 0, out);
    for (opencl::word i = 1; i < count; i++)
      device.set(kernel, i, std::uint64_t(2 * i - 2));
  }
  void start() const {
    const opencl::extent group = {1};
    device.launch_as_it_is(kernel, {1}, &group);
    device.flush();
  }
};

void add(std::vector<gpu::test> &tests, const launcher &one) {
  const std::string count = std::to_string(one.count);
  one.set();
  const auto setting = [one] {
    one.set();
    one.start();
  };
  const auto keeping = [one] { one.start(); };
  const gpu::timing submission = gpu::timing::submission, completion = gpu::timing::completion;
  tests.push_back({"async" + count, setting, {}, {}, 0, 0, submission});
  tests.push_back({"sync" + count, setting, {}, {}, 0, 0, completion});
  tests.push_back({"async" + count + "_kept", keeping, {}, {}, 0, 0, submission});
  tests.push_back({"sync" + count + "_kept", keeping, {}, {}, 0, 0, completion});
}

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  opencl::device device;
  const opencl::program_id program = device.build(opencl::source("launch.cl"));
  std::uint64_t *const out = device.allocate<std::uint64_t>(1);
  std::vector<gpu::test> tests;
  add(tests, {device, opencl::kernel(program, "one"), out, 1});
  add(tests, {device, opencl::kernel(program, "four"), out, 4});
  add(tests, {device, opencl::kernel(program, "sixteen"), out, 16});
  return gpu::run(device, tests, chosen);
}
