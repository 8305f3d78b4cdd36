// Memory with huge pages, as Sinter requests them for allocations of this size. Without them, a
// ratio would compare page tables instead of kernels: they alone took 20 to 35 % off the times of
// stream_omp.cpp on a 2-core EPYC, where the system grants huge pages only on request.
#ifndef BENCHES_PEERS_HUGE_PAGES_HPP
#define BENCHES_PEERS_HUGE_PAGES_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

namespace bench {

// Memory for `count` elements, not initialised and not yet touched; `std::free` releases it. Ends
// the process if there is none.
template <class T> T *allocate(std::size_t count) {
  constexpr std::size_t huge_page = std::size_t(2) << 20;
  void *memory = nullptr;
  if (posix_memalign(&memory, huge_page, count * sizeof(T)) != 0) {
    std::fprintf(stderr, "no memory for %zu elements\n", count);
    std::exit(1);
  }
  madvise(memory, count * sizeof(T), MADV_HUGEPAGE); // only a hint: it may fail
  return static_cast<T *>(memory);
}

} // namespace bench

#endif
