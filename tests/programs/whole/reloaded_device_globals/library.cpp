#include "globals.hpp"

static oneapi::device_global<int> of_library{7};

extern "C" void run(sycl::queue *queue, int *out) {
  queue->single_task([=] {
    of_library = of_library + 1;
    of_program = of_program + 1;
    out[0] = of_library;
    out[1] = of_program;
  }).wait();
}
