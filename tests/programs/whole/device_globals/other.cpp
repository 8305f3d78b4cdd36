#include "globals.hpp"

oneapi::device_global<int> defined_in_other{42};
oneapi::device_global<int> used_by_host_only{9};

SYCL_EXTERNAL int add_to_local(int value) { return local.get() += value; }

void run_other(sycl::queue &queue, int *out) {
  queue.single_task([=] {
    out[0] = defined_in_other;
    out[1] = in_both[2];
    out[2] = local;
  }).wait();
}
