// Both compilers in one process: Sinter's translator with clBuildProgram of its SPIR-V, beside
// clBuildProgram of OpenCL C.
//
//   compile TRANSLATOR FOLDER [--serve | --repeat N | --only NAME]
//
// TRANSLATOR is libsinter_translate.so, FOLDER has NAME.request for each kernel of sources.hpp: the
// request that the runtime would pass. A test is TYPE_NAME with the types
//
//   spirv   request to SPIR-V                        cl_build   OpenCL C to a kernel
//   build   request to a kernel                      il_build   SPIR-V to a kernel
//
// Every source and every module is unique, so that no cache of the platform has it.
#include "gpu/test.hpp"
#include "opencl/device.hpp"
#include "sources.hpp"
#include "translator.hpp"

#include <memory>

namespace {

// Appends a unique comment.
std::string fresh_source(const std::string &of) {
  static unsigned number = 0;
  return of + "\n// " + std::to_string(number++) + "\n";
}

// Sets a unique version of the generator: the lower half of the third word of the header.
std::string fresh_module(std::string of) {
  static std::uint16_t number = 0;
  number++;
  std::memcpy(&of[2 * sizeof(std::uint32_t)], &number, sizeof number);
  return of;
}

class suite {
public:
  suite(opencl::device &target, const std::string &library, const std::string &requests)
      : device(target), ours(library, bench::code_format::spirv), folder(requests) {}

  std::vector<gpu::test> tests() {
    for (const sources::kernel &kernel : sources::all)
      add(kernel, bench::file(folder + "/" + kernel.name + ".request"));
    return std::move(all);
  }

private:
  void add(const sources::kernel &kernel, const std::string &request) {
    const auto once = [this, request, known = std::make_shared<bench::code>()]() -> const bench::code & {
      if (known->bytes.empty())
        *known = ours(request);
      return *known;
    };
    add("spirv", kernel, [this, request] { ours(request); });
    add("build", kernel, [this, request] { load(ours(request)); });
    add("il_build", kernel, [this, once] { load(once()); });
    add("cl_build", kernel, [this, &kernel] { finish(device.build(fresh_source(kernel.text)), kernel.name); });
  }
  template <class F> void add(const char *type, const sources::kernel &kernel, F work) {
    const std::string name = std::string(type) + "_" + kernel.name;
    all.push_back({name, work, {}, {}, 0, 0, gpu::timing::submission});
  }

  void load(const bench::code &made) { finish(device.build_il(fresh_module(made.bytes)), made.entry.c_str()); }
  static void finish(opencl::program_id program, const char *name) {
    const opencl::kernel_id kernel = opencl::kernel(program, name);
    opencl::must(opencl::call().release_kernel(kernel), "clReleaseKernel");
    opencl::must(opencl::call().release_program(program), "clReleaseProgram");
  }

  opencl::device &device;
  bench::translator ours;
  std::string folder;
  std::vector<gpu::test> all;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    bench::fail("usage: compile TRANSLATOR FOLDER [--serve] [--repeat N] [--only NAME]");
  const gpu::options chosen = gpu::parse(argc - 2, argv + 2);
  opencl::device device;
  suite compilers(device, argv[1], argv[2]);
  return gpu::run(device, compilers.tests(), chosen);
}
