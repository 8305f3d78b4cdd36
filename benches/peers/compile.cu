// Both compilers in one process: Sinter's translator beside NVRTC, then the driver's linker and
// loader.
//
//   compile TRANSLATOR FOLDER [--no-driver] [--serve | --repeat N | --only NAME]
//
// TRANSLATOR is libsinter_translate.so, FOLDER has NAME.request for each kernel of sources.hpp: the
// request that the runtime would pass. A test is TYPE_NAME with the types
//
//   ptx      request to PTX                    nvrtc_ptx     source to PTX
//   load     request to loaded machine code    nvrtc_load    source to machine code (sm_90), loaded
//   quick    the same, linked at level 1       nvrtc_cubin   source to machine code
//   link, link1, link0   PTX to machine code by the driver's linker at default level, 1, 0
//   cubin    loading machine code
//
// "Loaded" means a loaded module whose function was looked up, on both sides. Queries of the
// runtime about a kernel (its limits, and the occupancy of group sizes) are not part of these
// tests: the first launch of a process includes them.
//
// Every source and every PTX string is unique, so that no cache of NVRTC or of the driver has it.
#include "gpu/test.hpp"
#include "sources.hpp"
#include "translator.hpp"

#include <cuda.h>
#include <nvrtc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::code;
using bench::fail;
using bench::symbol;
using text = std::string;

// ---- NVRTC ----

void must(nvrtcResult status, const char *what) {
  if (status != NVRTC_SUCCESS)
    fail(text(what) + ": " + nvrtcGetErrorString(status));
}

// Appends a unique comment.
text fresh(const text &of) {
  static unsigned number = 0;
  return of + "\n// " + std::to_string(number++) + "\n";
}

class nvrtc_program {
public:
  nvrtc_program(const sources::kernel &kernel, const char *architecture) {
    const text source = fresh(kernel.text);
    must(nvrtcCreateProgram(&program, source.c_str(), kernel.name, 0, nullptr, nullptr), "nvrtcCreateProgram");
    const char *options[] = {architecture, "--std=c++17", "--no-cache"};
    must(nvrtcCompileProgram(program, 3, options), "nvrtcCompileProgram");
  }
  ~nvrtc_program() { nvrtcDestroyProgram(&program); }
  nvrtc_program(const nvrtc_program &) = delete;
  nvrtc_program &operator=(const nvrtc_program &) = delete;

  text ptx() const {
    std::size_t size = 0;
    must(nvrtcGetPTXSize(program, &size), "nvrtcGetPTXSize");
    text result(size, 0);
    must(nvrtcGetPTX(program, &result[0]), "nvrtcGetPTX");
    return result;
  }
  text machine_code() const {
    std::size_t size = 0;
    must(nvrtcGetCUBINSize(program, &size), "nvrtcGetCUBINSize");
    text result(size, 0);
    must(nvrtcGetCUBIN(program, &result[0]), "nvrtcGetCUBIN");
    return result;
  }

private:
  nvrtcProgram program = nullptr;
};

// ---- The driver, loaded at run time ----

#define BENCH_TEXT_OF(x) #x
#define BENCH_TEXT(x) BENCH_TEXT_OF(x)
// cuda.h maps names to the newest version of a function; the string is the mapped name.
#define BENCH_DRIVER(name) decltype(&::name) name##_call = symbol<decltype(&::name)>(from, BENCH_TEXT(name))

class driver {
public:
  driver() {
    CUdevice device = 0;
    CUcontext context = nullptr;
    must(cuInit_call(0), "cuInit");
    must(cuDeviceGet_call(&device, 0), "cuDeviceGet");
    must(cuDevicePrimaryCtxRetain_call(&context, device), "cuDevicePrimaryCtxRetain");
    must(cuCtxSetCurrent_call(context), "cuCtxSetCurrent");
  }

  // Links PTX to machine code.
  text link(const text &ptx, unsigned level) const {
    CUjit_option options[] = {CU_JIT_OPTIMIZATION_LEVEL};
    void *values[] = {reinterpret_cast<void *>(static_cast<std::uintptr_t>(level))};
    CUlinkState state = nullptr;
    must(cuLinkCreate_call(1, options, values, &state), "cuLinkCreate");
    const text source = fresh(ptx.c_str());
    must(cuLinkAddData_call(state, CU_JIT_INPUT_PTX, const_cast<char *>(source.c_str()), source.size() + 1, "kernel", 0,
                            nullptr, nullptr),
         "cuLinkAddData");
    void *made = nullptr;
    std::size_t size = 0;
    must(cuLinkComplete_call(state, &made, &size), "cuLinkComplete");
    const text result(static_cast<const char *>(made), size);
    must(cuLinkDestroy_call(state), "cuLinkDestroy");
    return result;
  }
  void load(const text &machine_code, const text &entry) const {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    must(cuModuleLoadData_call(&module, machine_code.data()), "cuModuleLoadData");
    must(cuModuleGetFunction_call(&function, module, entry.c_str()), "cuModuleGetFunction");
    must(cuModuleUnload_call(module), "cuModuleUnload");
  }

private:
  void must(CUresult status, const char *what) const {
    const char *reason = "";
    if (status != CUDA_SUCCESS && cuGetErrorString_call(status, &reason) != CUDA_ERROR_INVALID_VALUE)
      fail(text(what) + ": " + reason);
  }

  void *from = bench::library("libcuda.so.1");
  BENCH_DRIVER(cuInit);
  BENCH_DRIVER(cuGetErrorString);
  BENCH_DRIVER(cuDeviceGet);
  BENCH_DRIVER(cuDevicePrimaryCtxRetain);
  BENCH_DRIVER(cuCtxSetCurrent);
  BENCH_DRIVER(cuLinkCreate);
  BENCH_DRIVER(cuLinkAddData);
  BENCH_DRIVER(cuLinkComplete);
  BENCH_DRIVER(cuLinkDestroy);
  BENCH_DRIVER(cuModuleLoadData);
  BENCH_DRIVER(cuModuleGetFunction);
  BENCH_DRIVER(cuModuleUnload);
};

// ---- The tests ----

struct compiling {
  void wait() {}
  static text name() { return "compilers"; }
  static bool is_gpu() { return true; }
};

// The linker's default level.
constexpr unsigned default_level = 4;

class suite {
public:
  suite(const text &library_path, const text &requests, bool with_driver)
      : ours(library_path, bench::code_format::ptx), folder(requests) {
    if (with_driver)
      gpu_driver.reset(new driver);
  }

  std::vector<gpu::test> tests() {
    for (const sources::kernel &kernel : sources::all) {
      const auto request = std::make_shared<const text>(bench::file(folder + "/" + kernel.name + ".request"));
      translation(kernel, request);
      if (gpu_driver)
        machine_code(kernel, request);
    }
    return std::move(all);
  }

private:
  template <class F> void add(const char *type, const sources::kernel &kernel, F work) {
    all.push_back({text(type) + "_" + kernel.name, work, {}, {}, 0, 0, gpu::timing::submission});
  }
  void translation(const sources::kernel &kernel, const std::shared_ptr<const text> &request) {
    add("ptx", kernel, [this, request] { ours(*request); });
    add("nvrtc_ptx", kernel, [&kernel] { nvrtc_program(kernel, "--gpu-architecture=compute_90").ptx(); });
    add("nvrtc_cubin", kernel, [&kernel] { nvrtc_program(kernel, "--gpu-architecture=sm_90").machine_code(); });
  }
  // Inputs of the driver's tests, prepared when the first of them runs: the first translation is a
  // figure of its own.
  struct prepared {
    code made;
    text machine_code;
  };
  std::shared_ptr<prepared> prepare(const std::shared_ptr<const text> &request) const {
    const code made = ours(*request);
    return std::make_shared<prepared>(prepared{made, gpu_driver->link(made.bytes, default_level)});
  }

  void machine_code(const sources::kernel &kernel, const std::shared_ptr<const text> &request) {
    const auto complete = [this, request](unsigned level) {
      const code made = ours(*request);
      gpu_driver->load(gpu_driver->link(made.bytes, level), made.entry);
    };
    const auto of = [this, request, known = std::make_shared<std::shared_ptr<prepared>>()]() -> const prepared & {
      if (!*known)
        *known = prepare(request);
      return **known;
    };
    add("load", kernel, [complete] { complete(default_level); });
    add("quick", kernel, [complete] { complete(1); });
    add("nvrtc_load", kernel, [this, &kernel] {
      gpu_driver->load(nvrtc_program(kernel, "--gpu-architecture=sm_90").machine_code(), kernel.name);
    });
    add("link", kernel, [this, of] { gpu_driver->link(of().made.bytes, default_level); });
    add("link1", kernel, [this, of] { gpu_driver->link(of().made.bytes, 1); });
    add("link0", kernel, [this, of] { gpu_driver->link(of().made.bytes, 0); });
    add("cubin", kernel, [this, of] { gpu_driver->load(of().machine_code, of().made.entry); });
  }

  bench::translator ours;
  text folder;
  std::unique_ptr<driver> gpu_driver;
  std::vector<gpu::test> all;
};

} // namespace

int main(int argc, char **argv) {
  if (argc < 3)
    fail("usage: compile TRANSLATOR FOLDER [--no-driver] [--serve] [--repeat N] [--only NAME]");
  const bool with_driver = argc < 4 || text(argv[3]) != "--no-driver";
  const int skipped = with_driver ? 2 : 3;
  const gpu::options chosen = gpu::parse(argc - skipped, argv + skipped);
  suite compilers(argv[1], argv[2], with_driver);
  compiling device;
  return gpu::run(device, compilers.tests(), chosen);
}
