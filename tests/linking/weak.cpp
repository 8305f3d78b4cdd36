// A weak definition that another file may override, and one that is never overridden. The argument
// is the value that the first one must have.
#include "functions.hpp"

#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>

__attribute__((weak)) SYCL_EXTERNAL int first(int) { return -1; }
__attribute__((weak)) SYCL_EXTERNAL int defined_nowhere(int x) { return 7 * x; }

int main(int, char **arguments) {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(16, queue);
  queue.parallel_for(8, [=](int i) {
         out[i] = first(i);
         out[8 + i] = defined_nowhere(i);
       })
      .wait();
  for (int i = 0; i < 8; ++i)
    if (out[i] != first(i) || out[8 + i] != defined_nowhere(i))
      return std::printf("out[%d] is %d, %d\n", i, out[i], out[8 + i]), 1;
  if (first(2) != std::atoi(arguments[1]))
    return std::printf("the linker chose %d\n", first(2)), 1;
  sycl::free(out, queue);
  std::puts("PASS");
}
