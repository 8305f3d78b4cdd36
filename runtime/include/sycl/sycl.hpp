// SYCL 2020 on top of the C interface of the Sinter runtime.
//
// Header only. A program includes this file and is compiled by sinter-cc: host code calls
// `sinter/sinter.h`; device code is everything reachable from kernels, split off by stage 1 and
// translated at launch. The parts below can be included alone; each opens with its content and uses
// few standard headers, since this file dominates the compile time of a small program. The standard
// headers below are those that programs for other implementations expect to be included.
//
// Not supported yet: buffers and accessors, images, half and bfloat16, streams, host_task and
// interop_handle, kernel bundles, parallel_for with an offset, hierarchical parallel_for. They are
// absent, not stubbed: a program that needs one does not compile.
#ifndef SYCL_SYCL_HPP
#define SYCL_SYCL_HPP

#include "detail/config.hpp"

#include "async_copy.hpp"
#include "atomic.hpp"
#include "atomic_ref.hpp"
#include "backend.hpp"
#include "barrier.hpp"
#include "bit_cast.hpp"
#include "context.hpp"
#include "device.hpp"
#include "event.hpp"
#include "exception.hpp"
#include "functional.hpp"
#include "geometric.hpp"
#include "group_algorithms.hpp"
#include "handler.hpp"
#include "info.hpp"
#include "integer.hpp"
#include "item.hpp"
#include "kernel.hpp"
#include "local_accessor.hpp"
#include "local_memory.hpp"
#include "math.hpp"
#include "memory.hpp"
#include "multi_ptr.hpp"
#include "nd_item.hpp"
#include "opencl_types.hpp"
#include "platform.hpp"
#include "printf.hpp"
#include "properties.hpp"
#include "queue.hpp"
#include "range.hpp"
#include "reduction.hpp"
#include "relational.hpp"
#include "selector.hpp"
#include "span.hpp"
#include "specialization.hpp"
#include "sub_group.hpp"
#include "this_work_item.hpp"
#include "usm.hpp"
#include "vec.hpp"
#include "vec_math.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>
#include <variant>

#endif
