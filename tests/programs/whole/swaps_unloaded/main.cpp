// A library is unloaded, and loaded again, while full code of its kernels is being made and threads
// launch those of the program.
// library: library.cpp
// devices: host
#define KERNELS_OF program
#include "kernels.hpp"

#include <atomic>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <sinter/jit.hpp>

#include "../../check.hpp"

namespace {

constexpr unsigned rounds = 8, thread_count = 3;

unsigned long long translated() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.translated;
}

// Threads launch all kernels of the library, which is then unloaded. True if full code of some was
// still missing.
bool is_unloaded_early(const char *path, unsigned round, std::atomic<int> &wrong) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    std::puts(dlerror());
  CHECK(library != nullptr);
  const auto failures = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "failures_of_library"));
  CHECK(failures != nullptr);
  const unsigned long long before = translated();
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < thread_count; ++number)
    threads.emplace_back([&, failures, round] { wrong += failures(round); });
  for (std::thread &thread : threads)
    thread.join();
  const bool is_early = translated() - before < 2 * kernels;
  CHECK(dlclose(library) == 0);
  CHECK(dlopen(path, RTLD_NOW | RTLD_NOLOAD) == nullptr);
  return is_early;
}

} // namespace

int main(int argc, char **argv) {
  CHECK(argc == 2);
  setenv("SINTER_JIT_MODE", "fallback", 1);
  std::atomic<bool> done{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (unsigned number = 0; number < 2; ++number)
    threads.emplace_back([&] {
      for (unsigned round = 0; !done; ++round)
        wrong += program::failures(round / 50 % 4);
    });
  unsigned early = 0;
  for (unsigned round = 0; round < rounds; ++round)
    early += is_unloaded_early(argv[1], round, wrong);
  sinter::wait_for_jit();
  done = true;
  for (std::thread &thread : threads)
    thread.join();
  CHECK_EQUAL(wrong.load(), 0);
  CHECK(early > 0);
  return pass();
}
