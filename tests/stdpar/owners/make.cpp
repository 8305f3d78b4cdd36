// The library that allocates.
#include <cstdlib>
#include <cstring>
#include <execution>
#include <new>
#include <numeric>
#include <vector>

#include "owners.hpp"

// Its constructor allocates while the library is opened, its destructor frees while it is closed.
static std::vector<int> own(1000, 1);

extern "C" __attribute__((visibility("default"))) void *make(std::size_t size, int kind) {
  if (std::reduce(std::execution::par_unseq, own.begin(), own.end()) != 1000)
    std::abort();
  void *block = nullptr;
  switch (kind) {
  case by_malloc:
    return std::malloc(size);
  case by_new:
    return ::operator new(size);
  case by_array_new:
    return new char[size];
  case by_aligned_new:
    return ::operator new(size, std::align_val_t(128));
  case by_posix_memalign:
    return posix_memalign(&block, 256, size) == 0 ? block : nullptr;
  default:
    std::vector<char> text(size, 'x');
    text.back() = 0;
    return strdup(text.data());
  }
}
