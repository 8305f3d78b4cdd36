// The library that frees.
#include <cstdlib>
#include <new>

#include "owners.hpp"

extern "C" __attribute__((visibility("default"))) void take(void *block, int kind) {
  switch (kind) {
  case by_new:
    return ::operator delete(block);
  case by_array_new:
    return delete[] static_cast<char *>(block);
  case by_aligned_new:
    return ::operator delete(block, std::align_val_t(128));
  default:
    return std::free(block);
  }
}
