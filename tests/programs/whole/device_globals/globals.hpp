#ifndef DEVICE_GLOBALS_GLOBALS_HPP
#define DEVICE_GLOBALS_GLOBALS_HPP

#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;

extern oneapi::device_global<int> defined_in_other;
extern oneapi::device_global<int> used_by_host_only;
inline oneapi::device_global<int[4]> in_both{1, 2, 3, 4};
// Each unit has its own.
static oneapi::device_global<int> local{1000};

SYCL_EXTERNAL int add_to_local(int value);
void run_other(sycl::queue &queue, int *out);

#endif
