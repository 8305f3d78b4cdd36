// A function that allocates and jumps by a table of its own labels has no copy: the table of a copy
// would lead into the original.
// memory: auto shared
// options: --stdpar -Wno-gnu-label-as-value
#include "where.hpp"

#include <numeric>

inline int *interpret(const char *program, int n) {
  static void *const labels[] = {&&add, &&twice, &&end};
  int *p = new int[n]();
  const char *next = program;
  goto *labels[int(*next++)];
add:
  for (int i = 0; i < n; ++i)
    p[i] += i + 1;
  goto *labels[int(*next++)];
twice:
  for (int i = 0; i < n; ++i)
    p[i] *= 2;
  goto *labels[int(*next++)];
end:
  return p;
}

int main() {
  int *const p = interpret("\0\1\1\2", 1000);
  CHECK(std::reduce(std::execution::par_unseq, p, p + 1000, 0L) == 4L * 1000 * 1001 / 2);
  delete[] p;
  return pass();
}
