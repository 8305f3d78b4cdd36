// Kernels whose arguments repeat, in SYCL 2020, beside peers/adaptive_omp.cpp.
#include "adaptive.hpp"

#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

namespace {

struct parallel {
  sycl::queue queue;
  template <class Body> void operator()(int items, const Body &body) const {
    sycl::queue(queue)
        .parallel_for(sycl::range<1>(items), [body](sycl::id<1> i) { body(static_cast<int>(i[0])); })
        .wait();
  }
};

template <class T> T *allocate(sycl::queue &queue) {
  T *memory = sycl::malloc_shared<T>(adaptive::capacity, queue);
  if (!memory) {
    std::fprintf(stderr, "no memory\n");
    std::exit(1);
  }
  return memory;
}

} // namespace

int main(int argc, char **argv) {
  sycl::queue queue(sycl::cpu_selector_v, sycl::property::queue::in_order());
  // Never freed: the process ends after the measurement.
  const adaptive::memory memory{allocate<float>(queue), allocate<float>(queue), allocate<float>(queue),
                                allocate<int>(queue)};
  return adaptive::measure(argc, argv, memory, parallel{queue}, [] { sinter::wait_for_jit(); });
}
