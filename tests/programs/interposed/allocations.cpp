// Every way to allocate, with blocks that pass between threads, libraries and the C library.
// memory: auto shared
// options: --stdpar -pthread
#include "where.hpp"

#include <memory>
#include <new>
#include <string>
#include <thread>

#include <cerrno>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

struct alignas(256) Wide {
  char bytes[256];
};

struct Early {
  std::vector<int> values = std::vector<int>(1000, 4);
  std::string text = std::string(100, 'x');
  ~Early() {
    // The vector has grown in main, and memory of that time is freed after it.
    std::vector<int> late(5000, 1);
    if (values.size() != 200000 || values[199999] != 5 || late[4999] != 1)
      _exit(3);
  }
};
static Early early;

static bool is_filled(const void *block, int value, std::size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(block);
  return std::all_of(bytes, bytes + size, [value](unsigned char byte) { return byte == value; });
}

static void all_sizes() {
  std::vector<std::pair<void *, std::size_t>> blocks;
  for (std::size_t size = 0; size < 3000000; size = size * 5 / 4 + 1) {
    void *block = std::malloc(size);
    CHECK(block && malloc_usable_size(block) >= size && reinterpret_cast<std::uintptr_t>(block) % 16 == 0);
    std::memset(block, int(blocks.size()), size);
    blocks.push_back({block, size});
  }
  for (std::size_t i = 0; i != blocks.size(); ++i) {
    CHECK(is_filled(blocks[i].first, int(i), blocks[i].second));
    std::free(blocks[i].first);
  }
}

static void all_functions() {
  for (const std::size_t alignment : {16, 64, 4096, 65536, 1 << 21}) {
    const auto fits = [alignment](void *block) {
      std::memset(block, 1, 100);
      return reinterpret_cast<std::uintptr_t>(block) % alignment == 0;
    };
    void *block = std::aligned_alloc(alignment, 8 * alignment);
    CHECK(fits(block));
    std::free(block);
    CHECK(posix_memalign(&block, alignment, 100) == 0 && fits(block));
    std::free(block);
    block = memalign(alignment, 100);
    CHECK(fits(block));
    std::free(block);
    block = ::operator new(100, std::align_val_t(alignment));
    CHECK(fits(block));
    ::operator delete(block, std::align_val_t(alignment));
    block = ::operator new[](100, std::align_val_t(alignment), std::nothrow);
    CHECK(fits(block));
    ::operator delete[](block, std::align_val_t(alignment));
  }
  void *dirty = std::malloc(100000);
  std::memset(dirty, 1, 100000);
  std::free(dirty);
  void *zero = std::calloc(1000, 100);
  CHECK(is_filled(zero, 0, 100000));
  std::free(zero);
  const std::unique_ptr<Wide[]> wide(new Wide[3]);
  CHECK(reinterpret_cast<std::uintptr_t>(wide.get()) % 256 == 0);
  const std::shared_ptr<int> counted = std::make_shared<int>(5);
  CHECK(*counted == 5);
}

// The same functions under the C library's own names, which lead past `free` of the process.
extern "C" {
void *__libc_malloc(std::size_t);
void *__libc_calloc(std::size_t, std::size_t);
void *__libc_memalign(std::size_t, std::size_t);
void *__libc_realloc(void *, std::size_t);
void __libc_free(void *);
}
static void names_of_the_c_library() {
  __libc_free(__libc_malloc(100));
  __libc_free(std::malloc(100));
  __libc_free(new long[5000]);
  __libc_free(nullptr);
  std::free(__libc_malloc(100000));
  void *block = __libc_memalign(256, 1000);
  CHECK(reinterpret_cast<std::uintptr_t>(block) % 256 == 0);
  __libc_free(block);
  block = __libc_calloc(1000, 10);
  CHECK(is_filled(block, 0, 10000));
  std::memset(block, 3, 10000);
  for (const std::size_t size : {20000, 5000000, 9000}) {
    block = __libc_realloc(block, size);
    CHECK(is_filled(block, 3, 9000));
  }
  __libc_free(block);
  // Blocks of the C library stay its own.
  block = __libc_realloc(strdup("text"), 50000);
  CHECK(std::strcmp(static_cast<char *>(block), "text") == 0);
  __libc_free(block);
  __libc_free(strdup("text"));
  std::free(__libc_realloc(nullptr, 70));
}

static void bad_alignments() {
  for (const std::size_t alignment : {0, 1, 2, 4, 12, 24, 100}) {
    void *block = &block;
    CHECK(posix_memalign(&block, alignment, 100) == EINVAL && block == &block);
  }
  void *block = nullptr;
  CHECK(posix_memalign(&block, sizeof(void *), 100) == 0 && block);
  std::free(block);
}

// Tools that check memory end a program that asks for this.
static void impossible_sizes() {
  const std::size_t huge = ~std::size_t(0) / 2;
  volatile std::size_t many = huge;
  // The compiler removes allocations that nothing uses.
  void *volatile none = std::malloc(many);
  CHECK(none == nullptr);
  none = std::calloc(many, 4);
  CHECK(none == nullptr);
  none = reallocarray(nullptr, many, 4);
  CHECK(none == nullptr);
  none = ::operator new(many, std::nothrow);
  CHECK(none == nullptr);
  try {
    none = ::operator new(many);
    CHECK(!"operator new returned");
  } catch (const std::bad_alloc &) {
  }
}

static void growing() {
  char *text = nullptr;
  std::size_t last = 0;
  for (std::size_t size = 1; size < 50000000; size = size * 3 / 2 + 1) {
    text = static_cast<char *>(std::realloc(text, size));
    CHECK(text && (last == 0 || text[last] == 'a'));
    last = size - 1;
    text[last] = 'a';
  }
  text = static_cast<char *>(std::realloc(text, 10));
  std::free(text);
}

static void lines() {
  char name[] = "/tmp/interposed.XXXXXX";
  const int file = mkstemp(name);
  CHECK(file >= 0);
  std::FILE *stream = fdopen(file, "w+");
  for (int i = 0; i != 2000; ++i)
    std::fprintf(stream, "%0*d\n", 1 + i, i);
  std::rewind(stream);
  // The C library enlarges a block of ours.
  std::size_t size = 8;
  char *line = static_cast<char *>(std::malloc(size));
  for (int i = 0; i != 2000; ++i)
    CHECK(getline(&line, &size, stream) == i + 2 && std::atoi(line) == (i < 10 ? i : std::atoi(line)));
  std::free(line);
  line = nullptr;
  std::rewind(stream);
  CHECK(getline(&line, &size, stream) == 2);
  std::free(line);
  std::fclose(stream);
  unlink(name);
  char *copy = strdup("text");
  CHECK(std::string(copy) == "text");
  std::free(copy);
}

static void threads() {
  std::vector<std::thread> all;
  std::vector<std::vector<long *>> made(8);
  for (int t = 0; t != 8; ++t)
    all.emplace_back([&made, t] {
      for (int i = 0; i != 20000; ++i) {
        made[t].push_back(new long[1 + i % 200]);
        made[t].back()[0] = i;
        if (i % 3 == 0) {
          delete[] made[t].back();
          made[t].pop_back();
        }
      }
    });
  for (std::thread &thread : all)
    thread.join();
  all.clear();
  // Other threads free them.
  for (int t = 0; t != 8; ++t)
    all.emplace_back([&made, t] {
      for (long *block : made[(t + 1) % 8])
        delete[] block;
      std::vector<int> values(100000, t);
      CHECK(std::reduce(std::execution::par_unseq, values.begin(), values.end()) == 100000 * t);
    });
  for (std::thread &thread : all)
    thread.join();
}

static void children() {
  std::vector<int> inherited(100000, 2);
  const pid_t child = fork();
  if (child == 0) {
    std::vector<int> own(1000, 1);
    inherited[0] = 5;
    inherited.resize(300000, 1);
    const bool fine = inherited[0] == 5 && inherited[99999] == 2 && inherited[299999] == 1 &&
                      std::reduce(std::execution::par_unseq, own.begin(), own.end()) == 1000;
    std::vector<int>().swap(inherited);
    all_sizes();
    _exit(fine ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(inherited[0] == 2 && inherited.size() == 100000);
}

// The allocator writes nothing to free blocks, which may lie in the memory of a GPU.
static void unused() {
  for (const std::size_t size : {16, 100, 5000, 30000, 100000}) {
    volatile unsigned char *const block = static_cast<unsigned char *>(std::malloc(size));
    for (std::size_t i = 0; i != size; ++i)
      block[i] = 7;
    std::free(const_cast<unsigned char *>(block));
    volatile unsigned char *const again = static_cast<unsigned char *>(std::malloc(size));
    CHECK(again == block);
    for (std::size_t i = 0; i != size; ++i)
      CHECK(again[i] == 7);
    std::free(const_cast<unsigned char *>(again));
  }
}

int main(int count, char **) {
  CHECK(early.values[999] == 4);
  early.values.resize(200000, 5);
  all_sizes();
  all_functions();
  bad_alignments();
  if (count == 1) {
    impossible_sizes();
    names_of_the_c_library();
  }
  growing();
  lines();
  if (is_interposed())
    unused();
  threads();
  children();
  return pass();
}
