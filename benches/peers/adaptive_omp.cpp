// Peer of cpu/adaptive.cpp: the same bodies in loops of OpenMP C++, compiled for all values of the
// arguments. With SIMD the outer loops are vectorised, otherwise what the compiler prefers.
#include "adaptive.hpp"
#include "huge_pages.hpp"

namespace {

struct parallel {
  template <class Body> void operator()(int items, const Body &body) const {
#ifdef SIMD
#pragma omp parallel for simd
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < items; i++)
      body(i);
  }
};

} // namespace

int main(int argc, char **argv) {
  using adaptive::capacity;
  const adaptive::memory memory{bench::allocate<float>(capacity), bench::allocate<float>(capacity),
                                bench::allocate<float>(capacity), bench::allocate<int>(capacity)};
  return adaptive::measure(argc, argv, memory, parallel(), [] {});
}
