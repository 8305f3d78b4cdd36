// Kernels in a shared library that is loaded, used, unloaded and loaded again.
// library: library.cpp
#include <sycl/sycl.hpp>

#include <dlfcn.h>

#include "../../check.hpp"

int main(int argc, char **argv) {
  CHECK(argc == 2);
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(64, queue);
  for (int round = 1; round <= 3; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      std::puts(dlerror());
    CHECK(library != nullptr);
    const auto run = reinterpret_cast<void (*)(sycl::queue *, int *, int)>(dlsym(library, "run"));
    CHECK(run != nullptr);
    run(&queue, out, round);
    queue.parallel_for(64, [=](int i) { out[i] += 1000; });
    queue.wait();
    for (int i = 0; i < 64; ++i)
      CHECK_EQUAL(out[i], i * round + 1000);
    CHECK(dlclose(library) == 0);
  }
  sycl::free(out, queue);
  return pass();
}
