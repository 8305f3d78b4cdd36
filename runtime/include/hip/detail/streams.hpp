// Streams, events, launches and facts about kernels.
#ifndef HIP_DETAIL_STREAMS_HPP
#define HIP_DETAIL_STREAMS_HPP

#include "volumes.hpp"

static inline hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  return static_cast<hipError_t>(sinter_hip_stream_create(reinterpret_cast<void **>(stream), flags, priority));
}
static inline hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}
static inline hipError_t hipStreamCreate(hipStream_t *stream) { return hipStreamCreateWithFlags(stream, 0); }
static inline hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags) {
  return static_cast<hipError_t>(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), flags, nullptr, nullptr));
}
static inline hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return static_cast<hipError_t>(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), nullptr, priority, nullptr));
}
static inline hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return static_cast<hipError_t>(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), nullptr, nullptr, device));
}
static inline hipError_t hipEventCreate(hipEvent_t *event) { return hipEventCreateWithFlags(event, 0); }
static inline hipError_t hipEventCreate(hipEvent_t *event, unsigned flags) {
  return hipEventCreateWithFlags(event, flags);
}

static inline hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  return static_cast<hipError_t>(sinter_hip_launch_host_function(SINTER_HIP_STREAM(stream), function, nullptr, data));
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
static inline hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t function, void *data, unsigned) {
  return static_cast<hipError_t>(sinter_hip_launch_host_function(SINTER_HIP_STREAM(stream), sinter_hip_callback::run,
                                                                 sinter_hip_callback::release,
                                                                 new sinter_hip_callback{function, stream, data}));
}

template <class Kernel>
static inline hipError_t hipLaunchKernel(Kernel *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                         hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments, shared, stream);
}
// The compiler refuses kernels whose blocks wait for each other; others run as with any launch.
static inline hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                    size_t shared = 0, hipStream_t stream = 0) {
  return hipLaunchKernel(function, grid, block, arguments, shared, stream);
}
template <class Kernel>
static inline hipError_t hipLaunchCooperativeKernel(Kernel *function, dim3 grid, dim3 block, void **arguments,
                                                    size_t shared = 0, hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments, shared, stream);
}
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#ifdef __HIP__
// For programs that define HIP_TEMPLATE_KERNEL_LAUNCH: the commas of `kernel<A, B>` do not split
// the arguments of a function. hip_runtime.h takes the macro of the same name away.
template <class... Arguments, class Kernel = void (*)(Arguments...)>
static inline void hipLaunchKernelGGL(Kernel kernel, const dim3 &grid, const dim3 &block, unsigned shared,
                                      hipStream_t stream, Arguments... arguments) {
  kernel<<<grid, block, shared, stream>>>(arguments...);
}
#endif
#define hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)                                                   \
  do {                                                                                                                 \
    kernel<<<(grid), (block), (shared), (stream)>>>(__VA_ARGS__);                                                      \
  } while (0)

// Launches are checked by themselves.
static inline hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute, int) {
  return static_cast<hipError_t>(sinter_hip_is_kernel(function));
}
static inline hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t) {
  return static_cast<hipError_t>(sinter_hip_is_kernel(function));
}
static inline hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig) {
  return static_cast<hipError_t>(sinter_hip_is_kernel(function));
}
// Properties of the thread's device, and the resources of a kernel's code there.
static inline hipError_t sinter_hip_resources(const void *function, hipDeviceProp_t *p, sinter_kernel_usage *usage) {
  int device = 0;
  hipGetDevice(&device);
  if (hipError_t error = hipGetDeviceProperties(p, device))
    return error;
  return static_cast<hipError_t>(sinter_hip_kernel_usage(function, usage));
}
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
  hipDeviceProp_t p;
  sinter_kernel_usage usage;
  if (hipError_t error = sinter_hip_resources(function, &p, &usage))
    return error;
  memset(attributes, 0, sizeof *attributes);
  const int bound = static_cast<int>(static_cast<const sinter_hip_kernel *>(function)->largest_block);
  const int most = sinter_hip_clamp(usage.work_group_size);
  attributes->maxThreadsPerBlock = bound > 0 && bound < most ? bound : most;
  attributes->sharedSizeBytes = usage.local_memory;
  attributes->localSizeBytes = usage.private_memory == UINT64_MAX ? 0 : usage.private_memory;
  attributes->numRegs = static_cast<int>(usage.registers);
  attributes->maxDynamicSharedSizeBytes = sinter_hip_clamp(p.sharedMemPerBlock - usage.local_memory);
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

// How many blocks a multiprocessor runs at a time, by work-items, shared memory and registers.
static inline int sinter_hip_blocks(const hipDeviceProp_t &p, const sinter_kernel_usage &usage, int block_size,
                                    size_t shared) {
  int blocks = p.maxThreadsPerMultiProcessor / block_size;
  const auto limit = [&blocks](uint64_t all, uint64_t of_block) {
    if (of_block != 0 && all / of_block < static_cast<uint64_t>(blocks))
      blocks = static_cast<int>(all / of_block);
  };
  limit(p.sharedMemPerMultiprocessor, shared + usage.local_memory);
  limit(static_cast<uint64_t>(p.regsPerMultiprocessor), uint64_t(usage.registers) * static_cast<uint64_t>(block_size));
  return static_cast<uint64_t>(block_size) > usage.work_group_size ? 0 : blocks;
}
static inline hipError_t sinter_hip_occupancy(int *blocks, const void *function, int block_size, size_t shared) {
  hipDeviceProp_t p;
  sinter_kernel_usage usage;
  if (block_size <= 0)
    return sinter_hip_failed(hipErrorInvalidValue);
  if (hipError_t error = sinter_hip_resources(function, &p, &usage))
    return error;
  return *blocks = sinter_hip_blocks(p, usage, block_size, shared), hipSuccess;
}
// The size of blocks, in warps, with which most work-items run at a time.
template <class SharedOfBlock>
static inline hipError_t sinter_hip_best_block(int *grid_size, int *block_size, const void *function,
                                               SharedOfBlock shared, int limit) {
  hipDeviceProp_t p;
  sinter_kernel_usage usage;
  if (hipError_t error = sinter_hip_resources(function, &p, &usage))
    return error;
  const int most = limit > 0 && limit < p.maxThreadsPerBlock ? limit : p.maxThreadsPerBlock;
  int items = 0;
  *grid_size = *block_size = 0;
  for (int size = most; size > 0; size = size > p.warpSize ? (size - 1) / p.warpSize * p.warpSize : 0) {
    const int blocks = sinter_hip_blocks(p, usage, size, static_cast<size_t>(shared(size)));
    if (blocks * size > items) {
      items = blocks * size;
      *block_size = size;
      *grid_size = blocks * p.multiProcessorCount;
    }
  }
  return items ? hipSuccess : sinter_hip_failed(hipErrorInvalidValue);
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
template <class Kernel, class SharedOfBlock>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeVariableSMem(int *grid_size, int *block_size, Kernel function,
                                                                       SharedOfBlock shared, int limit = 0) {
  return sinter_hip_best_block(grid_size, block_size, reinterpret_cast<const void *>(function), shared, limit);
}
template <class Kernel>
static inline hipError_t hipOccupancyMaxPotentialBlockSize(int *grid_size, int *block_size, Kernel function,
                                                           size_t shared = 0, int limit = 0) {
  return hipOccupancyMaxPotentialBlockSizeVariableSMem(
      grid_size, block_size, function, [shared](int) { return shared; }, limit);
}
template <class Kernel>
static inline hipError_t hipOccupancyMaxPotentialBlockSizeWithFlags(int *grid_size, int *block_size, Kernel function,
                                                                    size_t shared, int limit, unsigned) {
  return hipOccupancyMaxPotentialBlockSize(grid_size, block_size, function, shared, limit);
}

#endif
