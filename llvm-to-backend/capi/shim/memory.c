// Wraps the C library's allocation functions inside libsinter_translate.so. A failed allocation is
// tried again after sinter_llvm::memory has released the address space that the translation
// reserved. Otherwise LLVM and libstdc++ would end the process, or unwind, on the failure.
//
// The linker redirects calls of `malloc` in this library to `__wrap_malloc`, and those of
// `__real_malloc` to the process's `malloc` (ld's --wrap).
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Returns true if another attempt may succeed. Null until the first translation, which sets it
// before LLVM is used.
static bool (*_Atomic allocation_failed)(void);

__attribute__((visibility("hidden"))) void sinter_on_failed_allocation(bool (*function)(void)) {
  allocation_failed = function;
}

static bool again(void) {
  bool (*function)(void) = allocation_failed;
  return function && function();
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  void *memory;
  while (!(memory = __real_malloc(size)) && again())
    ;
  return memory;
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  void *memory;
  while (!(memory = __real_calloc(count, size)) && again())
    ;
  return memory;
}

void *__real_realloc(void *before, size_t size);
void *__wrap_realloc(void *before, size_t size) {
  void *memory;
  // A request of 0 bytes may return null, and has then freed `before`.
  while (!(memory = __real_realloc(before, size)) && size != 0 && again())
    ;
  return memory;
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *memory;
  while (!(memory = __real_aligned_alloc(alignment, size)) && again())
    ;
  return memory;
}

int __real_posix_memalign(void **memory, size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  int error;
  while ((error = __real_posix_memalign(memory, alignment, size)) == ENOMEM && again())
    ;
  return error;
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text) {
  char *copy;
  while (!(copy = __real_strdup(text)) && again())
    ;
  return copy;
}

// operator new(size_t, const std::nothrow_t &). libstdc++'s calls the throwing operator and catches
// everything, including the unwinding to sinter_llvm::guard.
__attribute__((visibility("hidden"))) void *_ZnwmRKSt9nothrow_t(size_t size, const void *tag) {
  (void)tag;
  return malloc(size ? size : 1);
}
