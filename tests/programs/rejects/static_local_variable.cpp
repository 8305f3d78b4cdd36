// error: static_local_variable.cpp:13
// levels: 0 2
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(4, queue);
  queue
      .parallel_for(4,
                    [=](int i) {
                      static int calls = 0;
                      // Counting needs an atomic_ref to memory of the program.
                      out[i] = ++calls;
                    })
      .wait();
}
