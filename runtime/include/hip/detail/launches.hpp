// Launches, occupancy and functions that take kernels and events by their types, in C++.
#ifndef HIP_DETAIL_LAUNCHES_HPP
#define HIP_DETAIL_LAUNCHES_HPP

#include "streams.hpp"

static inline hipError_t hipEventCreate(hipEvent_t *event, unsigned flags) {
  return hipEventCreateWithFlags(event, flags);
}

template <class Kernel>
static inline hipError_t hipLaunchKernel(Kernel *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                                         hipStream_t stream = 0) {
  return hipLaunchKernel(reinterpret_cast<const void *>(function), grid, block, arguments, shared, stream);
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
