// The functions of OpenCL that the peers call, loaded from the library at program start.
//
// Types and numbers are those of the OpenCL 3.0 specification, so that neither headers nor a
// library are needed to build. A call that fails ends the program with the function's name.
#ifndef BENCHES_OPENCL_API_HPP
#define BENCHES_OPENCL_API_HPP

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace opencl {

using platform_id = struct platform_struct *;
using device_id = struct device_struct *;
using context_id = struct context_struct *;
using queue_id = struct queue_struct *;
using program_id = struct program_struct *;
using kernel_id = struct kernel_struct *;
using event_id = struct event_struct *;

constexpr std::int32_t device_not_found = -1;
constexpr std::uint64_t any_device = 0xffffffff, gpu_device = 1 << 2;
constexpr std::uint32_t device_type = 0x1000, compute_units = 0x1002, device_name = 0x102b, device_il_version = 0x105b;
constexpr std::uint32_t build_log = 0x1183;
constexpr std::uint64_t read_write = 1;

[[noreturn]] inline void fail(const std::string &what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

inline void must(std::int32_t status, const char *what) {
  if (status != 0)
    fail(std::string(what) + " failed with " + std::to_string(status));
}

inline void *library() {
  static void *const opened = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!opened)
    fail(dlerror());
  return opened;
}

template <class F> F *function(const char *name) {
  void *const found = dlsym(library(), name);
  if (!found)
    fail(std::string("libOpenCL.so.1 has no ") + name);
  return reinterpret_cast<F *>(found);
}

using status = std::int32_t;
using word = std::uint32_t;
using flags = std::uint64_t;
using size = std::size_t;

#define BENCH_OPENCL(variable, name, result, ...)                                                                      \
  result (*const variable)(__VA_ARGS__) = function<result(__VA_ARGS__)>(name)

struct functions {
  BENCH_OPENCL(platforms, "clGetPlatformIDs", status, word, platform_id *, word *);
  BENCH_OPENCL(devices, "clGetDeviceIDs", status, platform_id, flags, word, device_id *, word *);
  BENCH_OPENCL(device_info, "clGetDeviceInfo", status, device_id, word, size, void *, size *);
  BENCH_OPENCL(create_context, "clCreateContext", context_id, const std::intptr_t *, word, const device_id *, void *,
               void *, status *);
  BENCH_OPENCL(create_queue, "clCreateCommandQueueWithProperties", queue_id, context_id, device_id, const flags *,
               status *);
  BENCH_OPENCL(flush, "clFlush", status, queue_id);
  BENCH_OPENCL(finish, "clFinish", status, queue_id);
  BENCH_OPENCL(program_of_source, "clCreateProgramWithSource", program_id, context_id, word, const char **,
               const size *, status *);
  BENCH_OPENCL(program_of_il, "clCreateProgramWithIL", program_id, context_id, const void *, size, status *);
  BENCH_OPENCL(build, "clBuildProgram", status, program_id, word, const device_id *, const char *, void *, void *);
  BENCH_OPENCL(build_info, "clGetProgramBuildInfo", status, program_id, device_id, word, size, void *, size *);
  BENCH_OPENCL(release_program, "clReleaseProgram", status, program_id);
  BENCH_OPENCL(create_kernel, "clCreateKernel", kernel_id, program_id, const char *, status *);
  BENCH_OPENCL(release_kernel, "clReleaseKernel", status, kernel_id);
  BENCH_OPENCL(set_value, "clSetKernelArg", status, kernel_id, word, size, const void *);
  BENCH_OPENCL(set_pointer, "clSetKernelArgSVMPointer", status, kernel_id, word, const void *);
  BENCH_OPENCL(launch, "clEnqueueNDRangeKernel", status, queue_id, kernel_id, word, const size *, const size *,
               const size *, word, const event_id *, event_id *);
  BENCH_OPENCL(allocate, "clSVMAlloc", void *, context_id, flags, size, word);
  BENCH_OPENCL(copy, "clEnqueueSVMMemcpy", status, queue_id, word, void *, const void *, size, word, const event_id *,
               event_id *);
  BENCH_OPENCL(fill, "clEnqueueSVMMemFill", status, queue_id, void *, const void *, size, size, word, const event_id *,
               event_id *);
};

inline const functions &call() {
  static const functions all;
  return all;
}

// The first device that accepts SPIR-V, in the order of the platforms, like Sinter's first OpenCL
// device.
inline device_id first_device() {
  word count = 0;
  must(call().platforms(0, nullptr, &count), "clGetPlatformIDs");
  std::vector<platform_id> platforms(count);
  must(call().platforms(count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (const platform_id platform : platforms) {
    std::vector<device_id> devices(16);
    const status found = call().devices(platform, any_device, 16, devices.data(), &count);
    if (found == device_not_found)
      continue;
    must(found, "clGetDeviceIDs");
    for (word i = 0; i < count && i < devices.size(); i++) {
      char versions[1024] = "";
      call().device_info(devices[i], device_il_version, sizeof versions, versions, nullptr);
      if (std::string(versions).find("SPIR-V") != std::string::npos)
        return devices[i];
    }
  }
  fail("OpenCL has no device that takes SPIR-V");
}

} // namespace opencl

#endif
