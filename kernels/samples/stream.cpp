// Memory bandwidth of four simple kernels: stream [ELEMENTS [REPETITIONS]]
//
// copy, mul, add and triad on arrays of doubles. A repetition runs each kernel once; the table
// gives the best and the median time, and the bandwidth at the best time. Before that, each kernel
// runs on one element to be compiled; the first repetition is not counted.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr double scalar = 0.4;
constexpr double start_a = 0.1, start_b = 0.2, start_c = 0.0;

struct arrays {
  double *a, *b, *c;
  std::size_t count;
};

void copy(sycl::queue &queue, const arrays &data) {
  queue.parallel_for<class stream_copy>(sycl::range<1>(data.count), [=](sycl::id<1> i) { data.c[i] = data.a[i]; });
}
void mul(sycl::queue &queue, const arrays &data) {
  queue.parallel_for<class stream_mul>(sycl::range<1>(data.count),
                                       [=](sycl::id<1> i) { data.b[i] = scalar * data.c[i]; });
}
void add(sycl::queue &queue, const arrays &data) {
  queue.parallel_for<class stream_add>(sycl::range<1>(data.count),
                                       [=](sycl::id<1> i) { data.c[i] = data.a[i] + data.b[i]; });
}
void triad(sycl::queue &queue, const arrays &data) {
  queue.parallel_for<class stream_triad>(sycl::range<1>(data.count),
                                         [=](sycl::id<1> i) { data.a[i] = data.b[i] + scalar * data.c[i]; });
}

struct benchmark {
  const char *name;
  void (*run)(sycl::queue &, const arrays &);
  int arrays_moved; // read and written
  std::vector<double> seconds;
};

double timed(sycl::queue &queue, const arrays &data, const benchmark &one) {
  const auto start = std::chrono::steady_clock::now();
  one.run(queue, data);
  queue.wait();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Milliseconds until each kernel has run on one element. Its code is compiled, or read from the
// cache, for that launch.
double first_launches(sycl::queue &queue, arrays data, const std::vector<benchmark> &benchmarks) {
  data.count = 1;
  double seconds = 0;
  for (const benchmark &one : benchmarks)
    seconds += timed(queue, data, one);
  return seconds * 1e3;
}

void fill(sycl::queue &queue, const arrays &data) {
  queue.fill(data.a, start_a, data.count);
  queue.fill(data.b, start_b, data.count);
  queue.fill(data.c, start_c, data.count);
  queue.wait();
}

void measure(sycl::queue &queue, const arrays &data, std::vector<benchmark> &benchmarks, int repetitions) {
  for (int repetition = 0; repetition <= repetitions; ++repetition)
    for (benchmark &one : benchmarks) {
      const double seconds = timed(queue, data, one);
      if (repetition != 0)
        one.seconds.push_back(seconds);
    }
}

void print_table(std::vector<benchmark> &benchmarks, std::size_t count) {
  std::printf("%-8s %10s %12s %12s\n", "kernel", "GB/s", "best ms", "median ms");
  for (benchmark &one : benchmarks) {
    std::sort(one.seconds.begin(), one.seconds.end());
    const double best = one.seconds.front(), median = one.seconds[one.seconds.size() / 2];
    const double bytes = double(one.arrays_moved) * double(count) * sizeof(double);
    std::printf("%-8s %10.2f %12.3f %12.3f\n", one.name, bytes / best * 1e-9, best * 1e3, median * 1e3);
  }
}

// Largest relative deviation of an array on the device from the one value that all its elements
// should have.
double deviation(sycl::queue &queue, const double *array, std::size_t count, double expected) {
  std::vector<double> host(count);
  queue.copy(array, host.data(), count).wait();
  double worst = 0;
  for (const double value : host)
    worst = std::max(worst, std::fabs(value - expected) / std::fabs(expected));
  return worst;
}

bool verify(sycl::queue &queue, const arrays &data, int repetitions) {
  double a = start_a, b = start_b, c = start_c;
  for (int repetition = 0; repetition <= repetitions; ++repetition) {
    c = a;
    b = scalar * c;
    c = a + b;
    a = b + scalar * c;
  }
  const double worst = std::max({deviation(queue, data.a, data.count, a), deviation(queue, data.b, data.count, b),
                                 deviation(queue, data.c, data.count, c)});
  std::printf("check    largest relative error %.1e\n", worst);
  return worst < 1e-12;
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : std::size_t(1) << 25;
  const int repetitions = argc > 2 ? std::atoi(argv[2]) : 20;
  if (count == 0 || repetitions < 1) {
    std::fprintf(stderr, "usage: stream [ELEMENTS [REPETITIONS]]\n");
    return 2;
  }

  sycl::queue queue{sycl::property::queue::in_order()};
  arrays data{sycl::malloc_device<double>(count, queue), sycl::malloc_device<double>(count, queue),
              sycl::malloc_device<double>(count, queue), count};
  if (!data.a || !data.b || !data.c) {
    std::fprintf(stderr, "stream: not enough memory for three arrays of %zu doubles\n", count);
    return 1;
  }
  fill(queue, data);

  std::vector<benchmark> benchmarks = {
      {"copy", copy, 2, {}}, {"mul", mul, 2, {}}, {"add", add, 3, {}}, {"triad", triad, 3, {}}};
  const double first = first_launches(queue, data, benchmarks);
  fill(queue, data);
  measure(queue, data, benchmarks, repetitions);

  std::printf("device   %s\n", queue.get_device().get_info<sycl::info::device::name>().c_str());
  std::printf("first    %.3f ms for the first launches of %zu kernels, of one element each\n", first,
              benchmarks.size());
  std::printf("arrays   3 of %zu doubles, %.1f MiB each; %d repetitions\n\n", count,
              double(count) * sizeof(double) / 1048576.0, repetitions);
  print_table(benchmarks, count);
  std::puts("");
  const bool pass = verify(queue, data, repetitions);
  for (double *array : {data.a, data.b, data.c})
    sycl::free(array, queue);
  std::puts(pass ? "PASS" : "FAIL");
  return pass ? 0 : 1;
}
