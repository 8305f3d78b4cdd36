// Peer of a disk hit in cpu/first.cpp, and its floor: the dynamic linker loads machine code and the
// code runs.
#include "report.hpp"

#include <dlfcn.h>

namespace {

constexpr std::size_t elements = 1024;
constexpr std::size_t repeats = 101;
double a[elements], b[elements], sum[elements];

using kernel_type = void (*)(const double *, const double *, double *, std::size_t);

kernel_type open(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *kernel = library ? dlsym(library, "kernel") : nullptr;
  if (!kernel) {
    std::fprintf(stderr, "%s\n", dlerror());
    std::exit(1);
  }
  return reinterpret_cast<kernel_type>(kernel);
}

bool correct() {
  for (std::size_t i = 0; i < elements; i++)
    if (sum[i] != 3.0 * double(i))
      return false;
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s SHARED_OBJECT\n", argv[0]);
    return 2;
  }
  for (std::size_t i = 0; i < elements; i++) {
    a[i] = double(i);
    b[i] = 2.0 * double(i);
  }
  kernel_type kernel = nullptr;
  const double first = bench::seconds([&] {
    kernel = open(argv[1]);
    kernel(a, b, sum, elements);
  });
  std::vector<double> repeat;
  for (std::size_t i = 0; i < repeats; i++)
    repeat.push_back(bench::seconds([&] { kernel(a, b, sum, elements); }));
  bench::emit("first", "s", {first}, correct());
  bench::emit("repeat", "s", repeat);
  bench::emit("peak", "KiB", {bench::peak_resident_kib()});
  return correct() ? 0 : 1;
}
