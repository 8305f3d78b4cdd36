// Code shared by the samples: sizes from the command line, device memory that is freed, a clock and
// the verdict.
#ifndef SAMPLES_SAMPLE_HPP
#define SAMPLES_SAMPLE_HPP

#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace sample {

// The number at `index` on the command line, or `fallback`; it must be a multiple of `unit`.
inline std::size_t number(int argc, char **argv, int index, std::size_t fallback, std::size_t unit = 1) {
  const std::size_t value = argc > index ? std::strtoull(argv[index], nullptr, 10) : fallback;
  if (value == 0 || value % unit != 0) {
    std::fprintf(stderr, "%s: argument %d must be a positive multiple of %zu\n", argv[0], index, unit);
    std::exit(2);
  }
  return value;
}

// Device memory for `count` elements.
template <class T> class memory {
public:
  memory(const sycl::queue &where, std::size_t elements)
      : queue(where), count(elements), data(sycl::malloc_device<T>(elements, queue)) {
    if (!data) {
      std::fprintf(stderr, "not enough memory for %zu bytes\n", elements * sizeof(T));
      std::exit(1);
    }
  }
  memory(sycl::queue &where, const std::vector<T> &host) : memory(where, host.size()) {
    queue.copy(host.data(), data, count).wait();
  }
  ~memory() { sycl::free(data, queue); }
  memory(const memory &) = delete;
  memory &operator=(const memory &) = delete;

  T *get() const { return data; }
  std::vector<T> read() {
    std::vector<T> host(count);
    queue.copy(data, host.data(), count).wait();
    return host;
  }

private:
  sycl::queue queue;
  std::size_t count;
  T *data;
};

// Runs the kernel twice, because the first launch compiles it, and prints the milliseconds of the
// second run, which has the code that the kernel keeps.
template <class F> void timed(const char *name, sycl::queue &queue, const F &run) {
  run();
  queue.wait_and_throw();
  sinter::wait_for_jit();
  const auto start = std::chrono::steady_clock::now();
  run();
  queue.wait_and_throw();
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - start;
  std::printf("%-10s %10.3f ms\n", name, taken.count());
}

// A reproducible pseudorandom number.
inline std::uint32_t noise(std::size_t index) {
  std::uint32_t value = static_cast<std::uint32_t>(index) * 2654435761u + 12345u;
  value ^= value >> 15;
  value *= 2246822519u;
  return value ^ (value >> 13);
}

inline int verdict(bool pass) {
  std::puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}

} // namespace sample

#endif
