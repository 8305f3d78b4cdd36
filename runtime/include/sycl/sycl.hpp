// SYCL 2020 on top of the C interface of the Sinter runtime.
//
// Header only. A program includes this file and is compiled by sinter-cc: host code calls
// `sinter/sinter.h`; device code is everything reachable from kernels, split off by stage 1 and
// translated at launch. The parts below can be included alone; each opens with its content and uses
// few standard headers, since this file dominates the compile time of a small program. The standard
// headers below are those that programs for other implementations expect to be included.
//
// Bindless images are not supported: their names do not compile.
#ifndef SYCL_SYCL_HPP
#define SYCL_SYCL_HPP

#include "detail/config.hpp"

#include "groups/async_copy.hpp"
#include "groups/barrier.hpp"
#include "groups/group_algorithms.hpp"
#include "groups/group_load_store.hpp"
#include "groups/khr_groups.hpp"
#include "groups/reduction.hpp"
#include "groups/root_group.hpp"
#include "groups/scratch_algorithms.hpp"
#include "groups/sub_group.hpp"
#include "groups/sub_group_mask.hpp"
#include "index/h_item.hpp"
#include "index/item.hpp"
#include "index/nd_item.hpp"
#include "index/range.hpp"
#include "index/this_work_item.hpp"
#include "math/bfloat16_math.hpp"
#include "math/dot_product.hpp"
#include "math/geometric.hpp"
#include "math/half_math.hpp"
#include "math/integer.hpp"
#include "math/math.hpp"
#include "math/relational.hpp"
#include "math/vec_math.hpp"
#include "memory/annotated_ptr.hpp"
#include "memory/access.hpp"
#include "memory/accessor.hpp"
#include "memory/atomic.hpp"
#include "memory/atomic_ref.hpp"
#include "memory/bindless_images.hpp"
#include "memory/buffer.hpp"
#include "memory/device_global.hpp"
#include "memory/host_accessor.hpp"
#include "memory/image.hpp"
#include "memory/image_accessor.hpp"
#include "memory/image_format.hpp"
#include "memory/image_types.hpp"
#include "memory/local_accessor.hpp"
#include "memory/local_memory.hpp"
#include "memory/memory.hpp"
#include "memory/multi_ptr.hpp"
#include "memory/sampler.hpp"
#include "memory/usm.hpp"
#include "runtime/backend.hpp"
#include "runtime/context.hpp"
#include "runtime/device.hpp"
#include "runtime/enqueue_functions.hpp"
#include "runtime/event.hpp"
#include "runtime/exception.hpp"
#include "runtime/handler.hpp"
#include "runtime/host_task.hpp"
#include "runtime/info.hpp"
#include "runtime/kernel.hpp"
#include "runtime/kernel_bundle.hpp"
#include "runtime/khr_commands.hpp"
#include "runtime/launch_properties.hpp"
#include "runtime/platform.hpp"
#include "runtime/printf.hpp"
#include "runtime/properties.hpp"
#include "runtime/queue.hpp"
#include "runtime/selector.hpp"
#include "runtime/specialization.hpp"
#include "runtime/stream.hpp"
#include "runtime/weak_object.hpp"
#include "types/bfloat16.hpp"
#include "types/bit_cast.hpp"
#include "types/functional.hpp"
#include "types/half.hpp"
#include "types/marray.hpp"
#include "types/opencl_types.hpp"
#include "types/span.hpp"
#include "types/vec.hpp"

#ifdef SYCL_EXT_ONEAPI_COMPLEX
#include "math/complex_math.hpp"
#endif

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
