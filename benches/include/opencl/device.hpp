// The device of the peers in OpenCL C: the counterpart of gpu/sycl.hpp for Sinter's programs.
//
// Memory is shared virtual memory, accessed by pointers like Sinter's. Inputs are generated on the
// host.
#ifndef BENCHES_OPENCL_DEVICE_HPP
#define BENCHES_OPENCL_DEVICE_HPP

#include "../gpu/compare.hpp"
#include "api.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <iterator>

namespace opencl {

// Sizes of a launch, the fastest dimension first.
class extent {
public:
  extent(std::initializer_list<size> given) : dimensions(static_cast<word>(given.size())) {
    std::copy(given.begin(), given.end(), sizes.begin());
  }
  const size *data() const { return sizes.data(); }
  word count() const { return dimensions; }

private:
  std::array<size, 3> sizes = {};
  word dimensions;
};

class device {
public:
  device() {
    status code = 0;
    context = call().create_context(nullptr, 1, &id, nullptr, nullptr, &code);
    must(code, "clCreateContext");
    queue = call().create_queue(context, id, nullptr, &code);
    must(code, "clCreateCommandQueueWithProperties");
  }

  template <class T> T *allocate(std::size_t count) {
    void *const memory = call().allocate(context, read_write, count * sizeof(T), 0);
    if (!memory)
      fail("no device memory for " + std::to_string(count * sizeof(T)) + " bytes");
    return static_cast<T *>(memory);
  }
  template <class T> T *random(std::size_t count, std::uint32_t seed, T low, T high) {
    return made<T>(count, [=](std::size_t i) { return gpu::random_real<T>(seed, i, low, high); });
  }
  std::uint32_t *random_words(std::size_t count, std::uint32_t seed) {
    return made<std::uint32_t>(count, [=](std::size_t i) { return gpu::random_word(seed, i); });
  }
  template <class T> void poison(T *memory, std::size_t count) {
    const unsigned char byte = 0xff;
    fill(memory, byte, count * sizeof(T));
  }
  template <class P> void fill(void *memory, P pattern, std::size_t bytes) {
    must(call().fill(queue, memory, &pattern, sizeof pattern, bytes, 0, nullptr, nullptr), "clEnqueueSVMMemFill");
  }
  template <class T> std::size_t poisoned(const T *memory, std::size_t count) {
    const std::vector<T> host = read(memory, count);
    const auto spoiled = [](const T &value) {
      const auto *bytes = reinterpret_cast<const unsigned char *>(&value);
      return std::all_of(bytes, bytes + sizeof value, [](unsigned char byte) { return byte == 0xff; });
    };
    return std::size_t(std::count_if(host.begin(), host.end(), spoiled));
  }
  template <class T> std::vector<T> read(const T *memory, std::size_t count) {
    std::vector<T> host(count);
    copy(host.data(), memory, count * sizeof(T));
    wait();
    return host;
  }
  void copy(void *to, const void *from, std::size_t bytes) {
    must(call().copy(queue, 0, to, from, bytes, 0, nullptr, nullptr), "clEnqueueSVMMemcpy");
  }
  void wait() { must(call().finish(queue), "clFinish"); }
  std::string name() const {
    char text[256] = "";
    must(call().device_info(id, device_name, sizeof text, text, nullptr), "clGetDeviceInfo");
    return text;
  }
  bool is_gpu() const { return ask<flags>(device_type) & gpu_device; }
  std::size_t units() const { return ask<word>(compute_units); }

  // Builds OpenCL C, or fails with the compiler's log.
  program_id build(const std::string &source, const char *options = "") const {
    status code = 0;
    const char *text = source.c_str();
    const program_id program = call().program_of_source(context, 1, &text, nullptr, &code);
    must(code, "clCreateProgramWithSource");
    return finished(program, options);
  }
  program_id build_il(const std::string &module, const char *options = "") const {
    status code = 0;
    const program_id program = call().program_of_il(context, module.data(), module.size(), &code);
    must(code, "clCreateProgramWithIL");
    return finished(program, options);
  }

  // Sets the arguments and launches. Without a group size the device chooses.
  template <class... Arguments>
  void launch(kernel_id kernel, const extent &global, const extent *group, Arguments... arguments) {
    word index = 0;
    (set(kernel, index++, arguments), ...);
    launch_as_it_is(kernel, global, group);
  }
  void launch_as_it_is(kernel_id kernel, const extent &global, const extent *group) {
    const size *local = group ? group->data() : nullptr;
    must(call().launch(queue, kernel, global.count(), nullptr, global.data(), local, 0, nullptr, nullptr),
         "clEnqueueNDRangeKernel");
  }
  void flush() { must(call().flush(queue), "clFlush"); }

  template <class T> static void set(kernel_id kernel, word index, T *pointer) {
    must(call().set_pointer(kernel, index, pointer), "clSetKernelArgSVMPointer");
  }
  template <class T> static void set(kernel_id kernel, word index, const T &value) {
    must(call().set_value(kernel, index, sizeof value, &value), "clSetKernelArg");
  }

private:
  template <class T> T ask(word question) const {
    T answer = 0;
    must(call().device_info(id, question, sizeof answer, &answer, nullptr), "clGetDeviceInfo");
    return answer;
  }
  template <class T, class F> T *made(std::size_t count, const F &element) {
    T *memory = allocate<T>(count);
    std::vector<T> host(count);
    for (std::size_t i = 0; i < count; i++)
      host[i] = element(i);
    copy(memory, host.data(), count * sizeof(T));
    wait();
    return memory;
  }
  program_id finished(program_id program, const char *options) const {
    if (call().build(program, 1, &id, options, nullptr, nullptr) == 0)
      return program;
    std::vector<char> log(1 << 16);
    call().build_info(program, id, build_log, log.size() - 1, log.data(), nullptr);
    fail("clBuildProgram failed:\n" + std::string(log.data()));
  }

  device_id id = first_device();
  context_id context = nullptr;
  queue_id queue = nullptr;
};

inline kernel_id kernel(program_id program, const char *name) {
  status code = 0;
  const kernel_id found = call().create_kernel(program, name, &code);
  must(code, name);
  return found;
}

// Contents of a file.
inline std::string contents(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    fail("cannot read " + path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

// OpenCL C source of this crate, in the folder that the harness passes.
inline std::string source(const char *name) { return contents(std::string(BENCH_OPENCL_SOURCES "/") + name); }

} // namespace opencl

#endif
