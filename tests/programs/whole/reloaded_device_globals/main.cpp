// A device global of a library that is unloaded and loaded again starts anew; that of the program,
// which the library uses too, does not.
// library: library.cpp
// options: -rdynamic
#include "globals.hpp"

#include <dlfcn.h>

#include "../../check.hpp"

oneapi::device_global<int> of_program{100};

int main(int argc, char **argv) {
  CHECK(argc == 2);
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(4, queue);
  int value = 0;
  queue.copy(of_program, &value).wait();
  CHECK_EQUAL(value, 100);
  for (int round = 1; round <= 3; ++round) {
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!library)
      std::puts(dlerror());
    CHECK(library != nullptr);
    const auto run = reinterpret_cast<void (*)(sycl::queue *, int *)>(dlsym(library, "run"));
    CHECK(run != nullptr);
    run(&queue, out);
    CHECK_EQUAL(out[0], 8);
    CHECK_EQUAL(out[1], 100 + round);
    queue.copy(of_program, &value).wait();
    CHECK_EQUAL(value, 100 + round);
    CHECK(dlclose(library) == 0);
  }
  sycl::free(out, queue);
  return pass();
}
