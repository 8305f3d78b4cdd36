// Operators that recognise their blocks, and a driver that allocates by them.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <dlfcn.h>

thread_local long news, deletes;

struct alignas(16) Head {
  unsigned long mark;
};
constexpr unsigned long used = 0x0123456789abcdef, freed = 0xdeadbeef;

void *operator new(std::size_t size) {
  ++news;
  Head *head = static_cast<Head *>(std::malloc(size + sizeof(Head)));
  if (!head)
    throw std::bad_alloc();
  head->mark = used;
  return head + 1;
}

void operator delete(void *block) noexcept {
  if (!block)
    return;
  ++deletes;
  Head *head = static_cast<Head *>(block) - 1;
  if (head->mark != used) {
    std::fputs("operator delete got a block of another operator new\n", stdout);
    std::abort();
  }
  head->mark = freed;
  std::free(head);
}

void operator delete(void *block, std::size_t) noexcept { operator delete(block); }

// In front of the function of the runtime: the allocator asks for memory here, and comes back.
extern "C" int sinter_stdpar_memory(std::size_t size, std::size_t alignment, void **memory) {
  using function = int(std::size_t, std::size_t, void **);
  std::vector<std::unique_ptr<char[]>> blocks;
  for (std::size_t bytes = 1; bytes < 50000000; bytes *= 3)
    blocks.emplace_back(new char[bytes]);
  const auto next = reinterpret_cast<function *>(dlsym(RTLD_NEXT, "sinter_stdpar_memory"));
  return next(size, alignment, memory);
}
