// An operator new that counts, beside an operator delete that calls free.
#include <cstdlib>
#include <new>

thread_local long news, deletes;

void *operator new(std::size_t size) {
  ++news;
  if (void *block = std::malloc(size))
    return block;
  throw std::bad_alloc();
}
