// The second process loads its kernels from the cache: it translates nothing and maps no LLVM.
// runs: 2
#include <sycl/sycl.hpp>

#include <cstring>

#include "../check.hpp"

static bool maps(const char *text) {
  std::FILE *file = std::fopen("/proc/self/maps", "r");
  CHECK(file != nullptr);
  char line[4096];
  bool found = false;
  while (std::fgets(line, sizeof(line), file))
    found = found || std::strstr(line, text) != nullptr;
  std::fclose(file);
  return found;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  const bool first = std::strcmp(argv[1], "1") == 0;
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1000, queue);
  queue.parallel_for(1000, [=](int i) { out[i] = i * i; });
  queue.parallel_for(sycl::nd_range<1>(1000, 10), [=](sycl::nd_item<1> item) { out[item.get_global_id(0)] += 1; });
  queue.wait();
  for (int i = 0; i < 1000; ++i)
    CHECK_EQUAL(out[i], i * i + 1);
  sycl::free(out, queue);

  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  CHECK_EQUAL(statistics.disk_hits, first ? 0 : 2);
  // The first process may prepare another variant as well.
  CHECK(!first || statistics.translated >= 2);
  if (!first) {
    CHECK_EQUAL(statistics.translated, 0);
    CHECK(!maps("libLLVM"));
    CHECK(!maps("libsinter_translate"));
  }
  return pass();
}
