// Measures the errors of a device's math functions: those of SYCL's headers, which reach the device
// as LLVM's intrinsics, and those of the device interface. Prints a table and PASS; or FAILED
// beside each line above its bound, and returns 1. On a CPU the functions of the headers are the C
// library's, which are only reported: glibc's cbrt is above the bound.
//
//   ulp [COUNT]   COUNT arguments for each f32 function (default 2^22), a quarter of them for each
//                 f64 function
// arguments: 524288
#include "ulp.hpp"

#include <cstdlib>
#include <sycl/sycl.hpp>

using ulp::no_bound;
using f32 = float;
using f64 = double;

#define DECLARE1(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32) noexcept;                                                                          \
  f64 __acpp_sscp_##NAME##_f64(f64) noexcept;
#define DECLARE2(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32, f32) noexcept;                                                                     \
  f64 __acpp_sscp_##NAME##_f64(f64, f64) noexcept;
#define DECLARE3(NAME, ...)                                                                                            \
  f32 __acpp_sscp_##NAME##_f32(f32, int) noexcept;                                                                     \
  f64 __acpp_sscp_##NAME##_f64(f64, int) noexcept;
#define DECLARE_NATIVE(NAME, ...) f32 __acpp_sscp_native_##NAME##_f32(f32) noexcept;

extern "C" {
ULP_UNARY(DECLARE1)
ULP_BINARY(DECLARE2)
ULP_WHOLE(DECLARE3)
ULP_NATIVE(DECLARE_NATIVE)
}

namespace {

// Device memory for arguments and results.
template <class T> struct buffers {
  sycl::queue &queue;
  std::size_t count;
  T *x, *y, *found;
  int *n;

  buffers(sycl::queue &queue, std::size_t count)
      : queue(queue), count(count), x(sycl::malloc_device<T>(count, queue)), y(sycl::malloc_device<T>(count, queue)),
        found(sycl::malloc_device<T>(count, queue)), n(sycl::malloc_device<int>(count, queue)) {}
  ~buffers() {
    for (void *pointer : {(void *)x, (void *)y, (void *)found, (void *)n})
      sycl::free(pointer, queue);
  }
  buffers(const buffers &) = delete;
};

// Arguments of one function, shared by the ways to compute it.
template <class T> struct measurement {
  using wide = ulp::wider<T>;
  buffers<T> &device;
  const char *name;
  double bound;
  ulp::samples<T> in;
  std::vector<wide> exact;
  bool is_c_library;

  measurement(buffers<T> &device, const char *name, double bound, double low, double high)
      : device(device), name(name), bound(bound), in(ulp::make<T>(device.count, low, high)), exact(device.count),
        is_c_library(device.queue.get_device().is_cpu()) {
    ulp::keep_domain(name, in);
    device.queue.copy(in.x.data(), device.x, device.count);
    device.queue.copy(in.y.data(), device.y, device.count);
    device.queue.copy(in.n.data(), device.n, device.count).wait();
  }

  // An exact function is its own reference, in the same type.
  template <class Reference> void refer(Reference reference) {
    for (std::size_t i = 0; i < device.count; ++i)
      exact[i] = bound == 0 ? wide(reference(in.x[i], in.y[i], in.n[i]))
                            : reference(wide(in.x[i]), wide(in.y[i]), in.n[i]);
  }

  template <class Function> bool run(const char *kind, Function function) {
    const T *x = device.x, *y = device.y;
    const int *n = device.n;
    T *found = device.found;
    device.queue.parallel_for(sycl::range<1>(device.count), [=](sycl::id<1> i) { found[i] = function(x[i], y[i], n[i]); });
    std::vector<T> results(device.count);
    device.queue.wait();
    device.queue.copy(device.found, results.data(), device.count).wait();
    const ulp::error worst = ulp::compare<T>(results, in, [this](std::size_t i) { return exact[i]; });
    return ulp::report<T>(kind, name, worst, bound);
  }
};

} // namespace

#define REFERENCE(...) [](auto x, [[maybe_unused]] auto y, [[maybe_unused]] int n) { return ulp::reference::__VA_ARGS__; }
#define ON_DEVICE(T, ...) [](T x, [[maybe_unused]] T y, [[maybe_unused]] int n) { return T(__VA_ARGS__); }

#define MEASURE(T, NAME, ARGUMENTS, ...)                                                                               \
  {                                                                                                                    \
    measurement<T> m(of_##T, #NAME, __VA_ARGS__);                                                                      \
    m.refer(REFERENCE(NAME ARGUMENTS));                                                                                \
    passed &= m.run("sycl", ON_DEVICE(T, sycl::NAME ARGUMENTS)) || m.is_c_library;                                                       \
    passed &= m.run("builtin", ON_DEVICE(T, __acpp_sscp_##NAME##_##T ARGUMENTS));                                      \
  }
#define MEASURE1(NAME, ...) MEASURE(f32, NAME, (x), __VA_ARGS__) MEASURE(f64, NAME, (x), __VA_ARGS__)
#define MEASURE2(NAME, ...) MEASURE(f32, NAME, (x, y), __VA_ARGS__) MEASURE(f64, NAME, (x, y), __VA_ARGS__)
#define MEASURE3(NAME, ...) MEASURE(f32, NAME, (x, n), __VA_ARGS__) MEASURE(f64, NAME, (x, n), __VA_ARGS__)
#define MEASURE_NATIVE(NAME, ...)                                                                                      \
  {                                                                                                                    \
    measurement<f32> m(of_f32, #NAME, no_bound, __VA_ARGS__);                                                          \
    m.refer(REFERENCE(NAME(x)));                                                                                       \
    m.run("native", ON_DEVICE(f32, __acpp_sscp_native_##NAME##_f32(x)));                                               \
  }

int main(int argc, char **argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t(1) << 22;
  if (count < 4) {
    std::fprintf(stderr, "usage: ulp [COUNT], where COUNT is at least 4\n");
    return 2;
  }
  sycl::queue queue{sycl::property::queue::in_order{}};
  const auto name = queue.get_device().get_info<sycl::info::device::name>();
  std::printf("%s\n%-8s %-10s %s %10s %6s\n", name.c_str(), "kind", "function", "type", "max ulp", "bound");
  buffers<f32> of_f32(queue, count);
  buffers<f64> of_f64(queue, count / 4);
  bool passed = true;
  ULP_UNARY(MEASURE1)
  ULP_BINARY(MEASURE2)
  ULP_WHOLE(MEASURE3)
  ULP_NATIVE(MEASURE_NATIVE)
  if (passed)
    std::puts("PASS");
  return !passed;
}
