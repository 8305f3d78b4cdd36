// Streams, events, launches and facts about kernels.
#ifndef HIP_DETAIL_STREAMS_HPP
#define HIP_DETAIL_STREAMS_HPP

#include "memory.hpp"

static inline hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  return static_cast<hipError_t>(sinter_hip_stream_create(reinterpret_cast<void **>(stream), flags, priority));
}
static inline hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}
static inline hipError_t hipStreamCreate(hipStream_t *stream) { return hipStreamCreateWithFlags(stream, 0); }
static inline hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags) {
  return static_cast<hipError_t>(sinter_hip_stream_properties(stream, flags, nullptr, nullptr));
}
static inline hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return static_cast<hipError_t>(sinter_hip_stream_properties(stream, nullptr, priority, nullptr));
}
static inline hipError_t hipEventCreate(hipEvent_t *event) { return hipEventCreateWithFlags(event, 0); }
static inline hipError_t hipEventCreate(hipEvent_t *event, unsigned flags) {
  return hipEventCreateWithFlags(event, flags);
}

static inline hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  return static_cast<hipError_t>(sinter_hip_launch_host_function(stream, function, nullptr, data));
}
struct sinter_hip_callback {
  hipStreamCallback_t function;
  hipStream_t stream;
  void *data;
  static void run(void *self) {
    const sinter_hip_callback &callback = *static_cast<sinter_hip_callback *>(self);
    callback.function(callback.stream, hipSuccess, callback.data);
  }
  static void release(void *self) { delete static_cast<sinter_hip_callback *>(self); }
};
static inline hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t function, void *data,
                                              unsigned) {
  return static_cast<hipError_t>(sinter_hip_launch_host_function(stream, sinter_hip_callback::run,
                                                                 sinter_hip_callback::release,
                                                                 new sinter_hip_callback{function, stream, data}));
}

template <class Kernel>
static inline hipError_t hipLaunchKernel(Kernel *function, dim3 grid, dim3 block, void **arguments,
                                         size_t shared = 0, hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments, shared, stream);
}
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                                                  \
  do {                                                                                                               \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);                                                    \
  } while (0)

// A limit of the device; what a launch asks for is checked then.
static inline hipError_t sinter_hip_is_kernel(const void *function) {
  const sinter_kernel *kernel = nullptr;
  return static_cast<hipError_t>(sinter_hip_get_kernel(function, &kernel));
}
static inline hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute, int) {
  return sinter_hip_is_kernel(function);
}
static inline hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t) {
  return sinter_hip_is_kernel(function);
}
static inline hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig) {
  return sinter_hip_is_kernel(function);
}
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
  if (hipError_t error = sinter_hip_is_kernel(function))
    return error;
  int device = 0;
  hipDeviceProp_t p;
  hipGetDevice(&device);
  if (hipError_t error = hipGetDeviceProperties(&p, device))
    return error;
  memset(attributes, 0, sizeof *attributes);
  const int bound = static_cast<int>(static_cast<const sinter_hip_kernel *>(function)->largest_block);
  attributes->maxThreadsPerBlock = bound > 0 && bound < p.maxThreadsPerBlock ? bound : p.maxThreadsPerBlock;
  attributes->maxDynamicSharedSizeBytes = sinter_hip_clamp(p.sharedMemPerBlock);
  attributes->ptxVersion = attributes->binaryVersion = 10 * p.major + p.minor;
  return hipSuccess;
}
template <class Kernel>
static inline hipError_t hipFuncSetAttribute(Kernel *function, hipFuncAttribute attribute, int value) {
  return hipFuncSetAttribute(reinterpret_cast<const void *>(function), attribute, value);
}
template <class Kernel> static inline hipError_t hipFuncSetCacheConfig(Kernel *function, hipFuncCache_t config) {
  return hipFuncSetCacheConfig(reinterpret_cast<const void *>(function), config);
}
template <class Kernel> static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, Kernel *function) {
  return hipFuncGetAttributes(attributes, reinterpret_cast<const void *>(function));
}

// How many blocks a multiprocessor runs at a time, by work-items and shared memory alone.
static inline hipError_t sinter_hip_occupancy(int *blocks, const void *function, int block_size, size_t shared) {
  int device = 0;
  hipDeviceProp_t p;
  hipGetDevice(&device);
  if (hipError_t error = sinter_hip_is_kernel(function))
    return error;
  if (hipError_t error = hipGetDeviceProperties(&p, device))
    return error;
  if (block_size <= 0)
    return sinter_hip_failed(hipErrorInvalidValue);
  const int by_items = p.maxThreadsPerMultiProcessor / block_size;
  const int by_memory = shared == 0 ? by_items : sinter_hip_clamp(p.sharedMemPerMultiprocessor / shared);
  return *blocks = by_items < by_memory ? by_items : by_memory, hipSuccess;
}
template <class Kernel>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, Kernel function, int block_size,
                                                                      size_t shared) {
  return sinter_hip_occupancy(blocks, reinterpret_cast<const void *>(function), block_size, shared);
}
template <class Kernel>
static inline hipError_t hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, Kernel function,
                                                                               int block_size, size_t shared,
                                                                               unsigned) {
  return sinter_hip_occupancy(blocks, reinterpret_cast<const void *>(function), block_size, shared);
}
template <class Kernel>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, Kernel function,
                                                           size_t shared = 0, int limit = 0) {
  int device = 0, blocks = 0;
  hipDeviceProp_t p;
  hipGetDevice(&device);
  if (hipError_t error = hipGetDeviceProperties(&p, device))
    return error;
  *block_size = limit > 0 && limit < p.maxThreadsPerBlock ? limit : p.maxThreadsPerBlock;
  const hipError_t error =
      sinter_hip_occupancy(&blocks, reinterpret_cast<const void *>(function), *block_size, shared);
  return *grid_size = blocks * p.multiProcessorCount, error;
}

#endif
