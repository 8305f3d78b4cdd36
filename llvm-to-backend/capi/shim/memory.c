// Wraps the C library's allocation functions inside libsinter_translate.so. A failed allocation is
// tried again after sinter_llvm::memory has released the address space that the translation
// reserved. Otherwise LLVM and libstdc++ would end the process, or unwind, on the failure.
//
// The thread that opens the library, or the first one that translates, has a region for its blocks,
// of huge pages where the system has them: its heap would grow page by page, with a system call and
// a page fault for each, and the C library maps and unmaps each block of more than 128 KiB, such as
// LLVM's description of a CPU. Blocks outlive the thread, so the region stays.
//
// The linker redirects calls of `malloc` in this library to `__wrap_malloc`, and those of
// `__real_malloc` to the process's `malloc` (ld's --wrap).
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  HUGE_PAGE = 2 << 20,
  REGION = 4 * HUGE_PAGE,
  ROOM = 64 << 20,
  ALIGNMENT = 16,
  // Size of a block, in front of it.
  HEADER = 8,
  // The largest block of which there is a list for each size: a slab of LLVM's allocators has 4096
  // bytes.
  SMALL = 8192,
  SMALL_LISTS = SMALL / ALIGNMENT + 1,
  // Larger blocks have eight sizes for each power of two.
  LARGEST = 1 << 19,
  LARGE_LISTS = 8 * 6,
};

// A free block; its size is known from its list.
struct free_block {
  struct free_block *next;
};

// Written once. Threads that do not see them yet have no block of the region.
static char *_Atomic region;
static void *_Atomic owner;
// Only the owner uses these.
static char *unused;
static struct free_block *free_blocks[SMALL_LISTS + LARGE_LISTS];

// Sanitizers for leaks define it. They do not look for pointers in the region.
__attribute__((weak)) void __lsan_do_leak_check(void);

// Writable memory of huge pages where the system has them, as far from a huge page's start as
// `like`. Null if the limit of the process for its address space leaves no room for `room` bytes.
__attribute__((visibility("hidden"))) char *sinter_map_huge(size_t size, size_t room, const void *like) {
  char *memory = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  // A huge page needs the whole of its range.
  char *start = memory + (((uintptr_t)like - (uintptr_t)memory) & (HUGE_PAGE - 1)), *end = start + size;
  if (start != memory)
    munmap(memory, start - memory);
  munmap(end, memory + room - end);
  if (mprotect(start, size, PROT_READ | PROT_WRITE)) {
    munmap(start, size);
    return NULL;
  }
  madvise(start, size, MADV_HUGEPAGE);
  return start;
}

// Gives the calling thread the region, if the limit of the process for its address space leaves
// room for the rest of the translation. The first call maps it.
static void own_region(void) {
  static atomic_flag begun = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&begun) && !__lsan_do_leak_check) {
    char *start = sinter_map_huge(REGION, ROOM, NULL);
    if (start)
      unused = start + HEADER;
    region = start;
  }
  if (region)
    owner = __builtin_thread_pointer();
}

// The thread that opens the library has the region from LLVM's constructors on. No other thread
// gets it then, since the opener may be allocating at any time.
__attribute__((visibility("hidden"))) void sinter_open_region(void) { own_region(); }

// Gives the calling thread the region, if no other thread has opened the library or translated.
__attribute__((visibility("hidden"))) void sinter_begin_region(void) {
  static atomic_flag begun = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&begun) && !owner)
    own_region();
}

static char *start_of_region(void) { return atomic_load_explicit(&region, memory_order_relaxed); }

static bool is_owner(void) { return __builtin_thread_pointer() == atomic_load_explicit(&owner, memory_order_relaxed); }

static bool in_region(const void *block) {
  char *start = start_of_region();
  return start && (uintptr_t)block - (uintptr_t)start < REGION;
}

static size_t *size_of(void *block) { return (size_t *)((char *)block - HEADER); }

// The list of free blocks of at least `*whole` bytes, which becomes the size of all blocks there.
static struct free_block **list_for(size_t *whole) {
  if (*whole <= SMALL) {
    *whole = (*whole + ALIGNMENT - 1) & -(size_t)ALIGNMENT;
    return &free_blocks[*whole / ALIGNMENT];
  }
  // 13 is the exponent of SMALL.
  int exponent = 63 - __builtin_clzll(*whole - 1);
  size_t eighths = ((*whole - 1) >> (exponent - 3)) + 1;
  *whole = eighths << (exponent - 3);
  return &free_blocks[SMALL_LISTS + 8 * (exponent - 13) + (eighths - 9)];
}

// A block of the region, or null for one that is too large, another thread, or if the region is
// full.
static void *take(size_t size) {
  if (!is_owner() || size > LARGEST - HEADER)
    return NULL;
  size_t whole = size + HEADER;
  struct free_block **list = list_for(&whole), *block = *list;
  if (block) {
    *list = block->next;
    return block;
  }
  if (whole > (size_t)(start_of_region() + REGION - unused))
    return NULL;
  *(size_t *)unused = whole;
  void *taken = unused + HEADER;
  unused += whole;
  return taken;
}

// Another thread's blocks are lost until the process ends.
static void give_back(void *memory) {
  if (!is_owner())
    return;
  size_t whole = *size_of(memory);
  struct free_block *block = memory, **list = list_for(&whole);
  block->next = *list;
  *list = block;
}

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
  void *memory = take(size);
  while (!memory && !(memory = __real_malloc(size)) && again())
    ;
  return memory;
}

void __real_free(void *memory);
void __wrap_free(void *memory) {
  if (in_region(memory))
    give_back(memory);
  else
    __real_free(memory);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size) {
  size_t bytes;
  void *memory = __builtin_mul_overflow(count, size, &bytes) ? NULL : take(bytes);
  if (memory)
    return memset(memory, 0, bytes);
  while (!(memory = __real_calloc(count, size)) && again())
    ;
  return memory;
}

// Moves a block of the region.
static void *move(void *before, size_t size) {
  size_t room = *size_of(before) - HEADER;
  if (size != 0 && size <= room)
    return before;
  void *memory = size == 0 ? NULL : __wrap_malloc(size);
  if (memory)
    memcpy(memory, before, room);
  if (memory || size == 0)
    give_back(before);
  return memory;
}

void *__real_realloc(void *before, size_t size);
void *__wrap_realloc(void *before, size_t size) {
  if (!before)
    return __wrap_malloc(size);
  if (in_region(before))
    return move(before, size);
  void *memory;
  // A request of 0 bytes may return null, and has then freed `before`.
  while (!(memory = __real_realloc(before, size)) && size != 0 && again())
    ;
  return memory;
}

void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size) {
  void *memory = alignment <= ALIGNMENT ? take(size) : NULL;
  while (!memory && !(memory = __real_aligned_alloc(alignment, size)) && again())
    ;
  return memory;
}

int __real_posix_memalign(void **memory, size_t alignment, size_t size);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t size) {
  void *block = alignment <= ALIGNMENT ? take(size) : NULL;
  if (block)
    return *memory = block, 0;
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
