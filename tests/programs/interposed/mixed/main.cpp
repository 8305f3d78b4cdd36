// A library that is loaded late, and whose allocations are those of the C library, frees what the
// program allocates, and the other way round.
// memory: auto shared
// options: --stdpar
// library: library.cpp
#include "../where.hpp"

#include <dlfcn.h>

#include "pair.hpp"

int main(int count, char **arguments) {
  CHECK(count == 2);
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  CHECK(library);
  const auto make = reinterpret_cast<void *(*)(std::size_t)>(dlsym(library, "make"));
  const auto take = reinterpret_cast<void (*)(void *)>(dlsym(library, "take"));
  const auto grow = reinterpret_cast<void *(*)(void *, std::size_t)>(dlsym(library, "grow"));
  const auto take_new = reinterpret_cast<void (*)(Pair *)>(dlsym(library, "take_new"));
  CHECK(make && take && grow && take_new);
  for (std::size_t size = 1; size < 2000000; size = size * 2 + 5) {
    std::free(make(size));
    take(std::malloc(size));
    take(grow(std::malloc(size), 2 * size));
    std::free(grow(make(size), 2 * size));
    std::free(std::realloc(make(size), 3 * size));
    take_new(new Pair[size]);
  }
  const bool interposed = is_interposed();
  const auto sum = [](const Pair *pairs) {
    return std::transform_reduce(std::execution::par_unseq, pairs, pairs + 10000, 0L, std::plus<>(),
                                 [](const Pair &pair) { return long(pair.first) + pair.second; });
  };
  std::vector<Pair> pairs(10000, Pair{1, 2});
  long total = 0;
  CHECK(runs_on_device([&] { total = sum(pairs.data()); }) && total == 30000);
  Pair *const foreign = static_cast<Pair *>(make(10000 * sizeof(Pair)));
  std::copy(pairs.begin(), pairs.end(), foreign);
  CHECK(runs_on_device([&] { total = sum(foreign); }) != interposed && total == 30000);
  std::free(foreign);
  CHECK(dlclose(library) == 0);
  CHECK(sum(pairs.data()) == 30000);
  return pass();
}
