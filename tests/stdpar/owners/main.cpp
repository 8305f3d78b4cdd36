// A program whose blocks have other owners at their end than at their beginning.
//
// In: the paths of the library that allocates and of the one that frees. It is run as it is, under
// valgrind and with AddressSanitizer, so it leaves nothing behind.
#include "owners.hpp"

#include "../../programs/interposed/where.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <functional>
#include <numeric>
#include <thread>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

// A kernel that reads a block.
static long sum(const int *first, std::size_t count) {
  return std::transform_reduce(std::execution::par_unseq, first, first + count, 0L, std::plus<>(),
                               [](int x) { return 2L * x; });
}

// Its constructor allocates before main, its destructor frees after it.
static struct Early {
  std::vector<int> values = std::vector<int>(1000, 4);
  std::string text = std::string(100, 'x');
  ~Early() {
    if (values.size() != 3000 || values[2999] != 2999 || text != "left and right")
      _exit(3);
  }
} early;

static void units() {
  CHECK(sum(early.values.data(), 1000) == 8000);
  plain::extend(early.values, 3000);
  early.text = plain::joined("left ", "and right");
  std::vector<int> values = plain::counted(2000);
  CHECK(sum(values.data(), 2000) == 1999L * 2000);
  values.resize(3000, 1);
  CHECK(sum(values.data(), 3000) == 1999L * 2000 + 2000);
  int *const theirs = plain::make(500), *const ours = static_cast<int *>(std::calloc(500, sizeof(int)));
  CHECK(sum(theirs, 500) == 0 && sum(ours, 500) == 0);
  plain::take(ours);
  std::free(theirs);
}

static void libraries(const char *maker, const char *taker) {
  for (int round = 0; round != 2; ++round) {
    void *const makes = dlopen(maker, RTLD_NOW | RTLD_LOCAL), *const takes = dlopen(taker, RTLD_NOW | RTLD_LOCAL);
    CHECK(makes && takes);
    const auto make = reinterpret_cast<make_function *>(dlsym(makes, "make"));
    const auto take = reinterpret_cast<take_function *>(dlsym(takes, "take"));
    CHECK(make && take);
    std::vector<void *> kept;
    for (int kind = 0; kind != kinds; ++kind)
      for (std::size_t size = 16; size < 300000; size *= 7) {
        void *const block = make(size, kind);
        CHECK(block && (kind != by_posix_memalign || reinterpret_cast<std::uintptr_t>(block) % 256 == 0));
        std::memset(block, 1, size);
        CHECK(sum(static_cast<int *>(block), size / 4) == long(size / 4) * 2 * 0x01010101);
        take(block, kind);
        kept.push_back(make(size, by_malloc));
        std::memset(kept.back(), kind, size);
      }
    CHECK(dlclose(makes) == 0);
    // The library that made them is gone.
    for (void *const block : kept) {
      CHECK(*static_cast<char *>(block) < kinds);
      take(block, by_malloc);
    }
    CHECK(dlclose(takes) == 0);
  }
}

static void growing() {
  int *block = nullptr;
  for (std::size_t size = 1; size < 200000; size = size * 3 / 2 + 1) {
    block = static_cast<int *>(std::realloc(block, size * sizeof(int)));
    CHECK(block);
    block[size - 1] = static_cast<int>(size);
    std::fill(block, block + size, 1);
    CHECK(sum(block, size) == static_cast<long>(2 * size));
  }
  block = static_cast<int *>(std::realloc(block, 8));
  CHECK(block && block[1] == 1);
  std::free(block);
}

static void lines() {
  std::FILE *const stream = std::tmpfile();
  CHECK(stream);
  for (int i = 0; i != 500; ++i)
    std::fprintf(stream, "%0*d\n", 1 + i, i);
  std::rewind(stream);
  // The C library enlarges a block of the program, and makes one for it.
  std::size_t size = 8;
  char *line = static_cast<char *>(std::malloc(size));
  for (int i = 0; i != 500; ++i)
    CHECK(getline(&line, &size, stream) == i + 2);
  std::free(line);
  line = nullptr;
  std::rewind(stream);
  CHECK(getline(&line, &size, stream) == 2);
  std::free(line);
  std::fclose(stream);
}

static void aligned() {
  for (const std::size_t alignment : {8, 64, 4096, 65536}) {
    void *block = nullptr;
    CHECK(posix_memalign(&block, alignment, 4000) == 0);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % alignment == 0);
    std::memset(block, 0, 4000);
    CHECK(sum(static_cast<int *>(block), 1000) == 0);
    std::free(block);
  }
}

static void threads() {
  std::vector<std::thread> all;
  std::vector<std::vector<int *>> made(8);
  const auto with_all = [&all](const std::function<void(unsigned)> &action) {
    for (unsigned t = 0; t != 8; ++t)
      all.emplace_back(action, t);
    for (std::thread &thread : all)
      thread.join();
    all.clear();
  };
  with_all([&made](unsigned t) {
    for (int i = 0; i != 500; ++i)
      made[t].push_back(new int[64]{i});
  });
  std::atomic<int> wrong = 0;
  // Others read and free them.
  with_all([&](unsigned t) {
    for (int i = 0; i != 500; ++i) {
      int *const block = made[(t + 1) % 8][static_cast<unsigned>(i)];
      wrong += i % 50 == 0 && sum(block, 64) != 2 * i;
      delete[] block;
    }
  });
  CHECK(wrong == 0);
}

static void children() {
  std::vector<int> inherited(10000, 2);
  const pid_t child = fork();
  if (child == 0) {
    inherited[0] = 5;
    plain::extend(inherited, 30000);
    std::vector<int> own(1000, 1);
    const bool is_right = inherited[0] == 5 && inherited[9999] == 2 && sum(own.data(), 1000) == 2000;
    std::vector<int>().swap(inherited);
    std::free(std::realloc(std::malloc(100), 100000));
    _exit(is_right ? 0 : 1);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child && status == 0);
  CHECK(sum(inherited.data(), 10000) == 40000);
}

int main(int count, char **arguments) {
  CHECK(count == 3);
  units();
  libraries(arguments[1], arguments[2]);
  growing();
  lines();
  aligned();
  threads();
  children();
  std::puts("PASS");
  return 0;
}
