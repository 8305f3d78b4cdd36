// Streams, events and facts about kernels.
#ifndef HIP_DETAIL_STREAMS_HPP
#define HIP_DETAIL_STREAMS_HPP

#include "volumes.hpp"

#include <stdlib.h>

static inline hipError_t hipStreamCreateWithPriority(hipStream_t *stream, unsigned flags, int priority) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_create(SINTER_HIP_FROM(void **)(stream), flags, priority));
}
static inline hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
  return hipStreamCreateWithPriority(stream, flags, 0);
}
static inline hipError_t hipStreamCreate(hipStream_t *stream) { return hipStreamCreateWithFlags(stream, 0); }
static inline hipError_t hipStreamGetFlags(hipStream_t stream, unsigned *flags) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), flags, NULL, NULL));
}
static inline hipError_t hipStreamGetPriority(hipStream_t stream, int *priority) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), NULL, priority, NULL));
}
static inline hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_properties(SINTER_HIP_STREAM(stream), NULL, NULL, device));
}
static inline hipError_t hipEventCreate(hipEvent_t *event) { return hipEventCreateWithFlags(event, 0); }

static inline hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_launch_host_function(SINTER_HIP_STREAM(stream), function, NULL, data));
}
struct sinter_hip_callback {
  hipStreamCallback_t function;
  hipStream_t stream;
  void *data;
};
static inline void sinter_hip_call_back(void *self) {
  const struct sinter_hip_callback *const callback = SINTER_HIP_AS(const struct sinter_hip_callback *)(self);
  callback->function(callback->stream, hipSuccess, callback->data);
}
static inline hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t function, void *data, unsigned) {
  struct sinter_hip_callback *const callback =
      SINTER_HIP_AS(struct sinter_hip_callback *)(malloc(sizeof(struct sinter_hip_callback)));
  if (!callback)
    return sinter_hip_failed(hipErrorOutOfMemory);
  callback->function = function;
  callback->stream = stream;
  callback->data = data;
  return SINTER_HIP_AS(hipError_t)(
      sinter_hip_launch_host_function(SINTER_HIP_STREAM(stream), sinter_hip_call_back, free, callback));
}

// The compiler refuses kernels whose blocks wait for each other; others run as with any launch.
static inline hipError_t hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                                    size_t shared SINTER_HIP_OR(0),
                                                    hipStream_t stream SINTER_HIP_OR(0)) {
  return hipLaunchKernel(function, grid, block, arguments, shared, stream);
}

// Launches are checked by themselves.
static inline hipError_t hipFuncSetAttribute(const void *function, hipFuncAttribute, int) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_is_kernel(function));
}
static inline hipError_t hipFuncSetCacheConfig(const void *function, hipFuncCache_t) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_is_kernel(function));
}
static inline hipError_t hipFuncSetSharedMemConfig(const void *function, hipSharedMemConfig) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_is_kernel(function));
}
// Properties of the thread's device, and the resources of a kernel's code there.
static inline hipError_t sinter_hip_resources(const void *function, hipDeviceProp_t *p, sinter_kernel_usage *usage) {
  int device = 0;
  hipGetDevice(&device);
  const hipError_t error = hipGetDeviceProperties(p, device);
  if (error)
    return error;
  return SINTER_HIP_AS(hipError_t)(sinter_hip_kernel_usage(function, usage));
}
static inline hipError_t hipFuncGetAttributes(hipFuncAttributes *attributes, const void *function) {
  hipDeviceProp_t p;
  sinter_kernel_usage usage;
  const hipError_t error = sinter_hip_resources(function, &p, &usage);
  if (error)
    return error;
  memset(attributes, 0, sizeof *attributes);
  const sinter_hip_kernel *const kernel = SINTER_HIP_AS(const sinter_hip_kernel *)(function);
  const int bound = SINTER_HIP_AS(int)(kernel->largest_block);
  const int most = sinter_hip_clamp(usage.work_group_size);
  attributes->maxThreadsPerBlock = bound > 0 && bound < most ? bound : most;
  attributes->sharedSizeBytes = usage.local_memory;
  attributes->localSizeBytes = usage.private_memory == UINT64_MAX ? 0 : usage.private_memory;
  attributes->numRegs = SINTER_HIP_AS(int)(usage.registers);
  attributes->maxDynamicSharedSizeBytes = sinter_hip_clamp(p.sharedMemPerBlock - usage.local_memory);
  attributes->ptxVersion = attributes->binaryVersion = 10 * p.major + p.minor;
  return hipSuccess;
}

#endif
