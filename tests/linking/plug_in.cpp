// Defines a function for the program's kernel, and has a kernel that calls a function of the
// program.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int of_program(int x);
SYCL_EXTERNAL int of_plug_in(int x) { return FACTOR * x; }

extern "C" void run(sycl::queue *queue, int *out) {
  queue->parallel_for(8, [=](int i) { out[i] = FACTOR * of_program(i); }).wait();
}
