// Peer of cpu/stream.cpp: the same kernels in OpenMP C++, in the same kind of memory.
#include "huge_pages.hpp"
#include "stream.hpp"

namespace {

class kernels {
public:
  explicit kernels(std::size_t elements)
      : count(elements), a(bench::allocate<double>(count)), b(bench::allocate<double>(count)),
        c(bench::allocate<double>(count)) {
    // In parallel, so that each page is first touched by the thread that uses it.
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; i++) {
      a[i] = stream::initial_a(i);
      b[i] = 0;
      c[i] = 0;
    }
  }
  ~kernels() {
    std::free(a);
    std::free(b);
    std::free(c);
  }
  kernels(const kernels &) = delete;
  kernels &operator=(const kernels &) = delete;

  void copy() {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; i++)
      c[i] = a[i];
  }
  void mul() {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; i++)
      b[i] = stream::scalar * c[i];
  }
  void add() {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; i++)
      c[i] = a[i] + b[i];
  }
  void triad() {
#pragma omp parallel for simd
    for (std::size_t i = 0; i < count; i++)
      a[i] = b[i] + stream::scalar * c[i];
  }

  bool verify(const stream::expected &wanted) const {
    return stream::agrees(a, 0, count, wanted.a) && stream::agrees(b, 0, count, wanted.b) &&
           stream::agrees(c, 0, count, wanted.c);
  }

private:
  std::size_t count;
  double *a, *b, *c;
};

} // namespace

int main(int argc, char **argv) {
  const stream::options options = stream::parse(argc, argv);
  kernels peers(options.elements);
  const stream::times times = stream::measure(peers, options.repetitions);
  return stream::report(times, peers.verify(stream::expected(options.repetitions + 1)));
}
