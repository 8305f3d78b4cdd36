// copy, mul, add and triad in SYCL 2020 with unified shared memory, beside peers/stream_omp.cpp.
#include "counters.hpp"
#include "stream.hpp"

#include <sycl/sycl.hpp>

namespace {

class kernels {
public:
  explicit kernels(std::size_t elements)
      : queue(sycl::cpu_selector_v, sycl::property::queue::in_order()), count(elements), a(allocate()), b(allocate()),
        c(allocate()) {
    queue.parallel_for(sycl::range<1>(count), [a = a, b = b, c = c](sycl::id<1> i) {
      a[i] = stream::initial_a(i);
      b[i] = 0;
      c[i] = 0;
    });
    queue.wait_and_throw();
  }
  ~kernels() {
    sycl::free(a, queue);
    sycl::free(b, queue);
    sycl::free(c, queue);
  }
  kernels(const kernels &) = delete;
  kernels &operator=(const kernels &) = delete;

  void copy() {
    queue.parallel_for(sycl::range<1>(count), [a = a, c = c](sycl::id<1> i) { c[i] = a[i]; });
    queue.wait();
  }
  void mul() {
    queue.parallel_for(sycl::range<1>(count), [b = b, c = c](sycl::id<1> i) { b[i] = stream::scalar * c[i]; });
    queue.wait();
  }
  void add() {
    queue.parallel_for(sycl::range<1>(count), [a = a, b = b, c = c](sycl::id<1> i) { c[i] = a[i] + b[i]; });
    queue.wait();
  }
  void triad() {
    queue.parallel_for(sycl::range<1>(count),
                       [a = a, b = b, c = c](sycl::id<1> i) { a[i] = b[i] + stream::scalar * c[i]; });
    queue.wait();
  }

  bool verify(const stream::expected &wanted) {
    return holds(a, wanted.a) && holds(b, wanted.b) && holds(c, wanted.c);
  }

private:
  double *allocate() {
    double *memory = sycl::malloc_device<double>(count, queue);
    if (!memory) {
      std::fprintf(stderr, "no memory for %zu doubles\n", count);
      std::exit(1);
    }
    return memory;
  }

  // Reads device memory back in pieces, which keeps the peak of host memory low.
  bool holds(const double *memory, const std::vector<double> &wanted) {
    std::vector<double> piece(std::min<std::size_t>(count, std::size_t(1) << 20));
    for (std::size_t first = 0; first < count; first += piece.size()) {
      const std::size_t size = std::min(piece.size(), count - first);
      queue.memcpy(piece.data(), memory + first, size * sizeof(double)).wait();
      if (!stream::agrees(piece.data(), first, size, wanted))
        return false;
    }
    return true;
  }

  sycl::queue queue;
  std::size_t count;
  double *a, *b, *c;
};

} // namespace

int main(int argc, char **argv) {
  const stream::options options = stream::parse(argc, argv);
  kernels ours(options.elements);
  // Each kernel once before the counters are read: they then show translations in the timed rounds.
  ours.copy();
  ours.mul();
  ours.add();
  ours.triad();
  const auto before = bench::counters().translated;
  const stream::times times = stream::measure(ours, options.repetitions);
  bench::emit("translated", "kernels", {double(bench::counters().translated - before)});
  return stream::report(times, ours.verify(stream::expected(options.repetitions + 2)));
}
