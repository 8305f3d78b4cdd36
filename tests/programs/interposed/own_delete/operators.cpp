// An operator delete that counts.
#include <cstdlib>
#include <new>

thread_local long news, deletes;

void operator delete(void *block) noexcept {
  deletes += block != nullptr;
  std::free(block);
}

void operator delete(void *block, std::size_t) noexcept { operator delete(block); }
