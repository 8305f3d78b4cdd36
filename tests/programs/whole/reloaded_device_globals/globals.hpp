#ifndef RELOADED_DEVICE_GLOBALS_GLOBALS_HPP
#define RELOADED_DEVICE_GLOBALS_GLOBALS_HPP

#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;

extern oneapi::device_global<int> of_program;

#endif
