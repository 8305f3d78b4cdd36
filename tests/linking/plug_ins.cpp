// Loads the libraries on the command line one after another; number `n` multiplies by `n`.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>
#include <dlfcn.h>

SYCL_EXTERNAL int of_plug_in(int x);
SYCL_EXTERNAL int of_program(int x) { return x + 1000; }

static bool fail(const char *what) { return std::printf("failed: %s\n", what), false; }

static void launch(sycl::queue &queue, int *out) {
  queue.parallel_for(8, [=](int i) { out[i] = of_plug_in(i); }).wait();
}

static bool is_refused(sycl::queue &queue, int *out) {
  try {
    launch(queue, out);
  } catch (const sycl::exception &error) {
    return std::strstr(error.what(), "of_plug_in") ? true : fail(error.what());
  }
  return fail("a kernel ran without its function");
}

static bool uses(const char *path, int factor, sycl::queue &queue, int *out) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(dlerror());
  // The second launch uses the loaded kernel.
  for (int round = 0; round < 2; ++round) {
    launch(queue, out);
    for (int i = 0; i < 8; ++i)
      if (out[i] != factor * i)
        return fail("the kernel has another library's function");
  }
  reinterpret_cast<void (*)(sycl::queue *, int *)>(dlsym(library, "run"))(&queue, out);
  for (int i = 0; i < 8; ++i)
    if (out[i] != factor * (i + 1000))
      return fail("the library's kernel has no function of the program");
  return dlclose(library) == 0;
}

int main(int argc, char **argv) {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  for (int i = 1; i < argc; ++i)
    if (!is_refused(queue, out) || !uses(argv[i], i, queue, out))
      return 1;
  if (!is_refused(queue, out))
    return 1;
  sycl::free(out, queue);
  std::puts("PASS");
}
