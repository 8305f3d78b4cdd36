// The functions of the API that libsinter.so has. `hipMalloc` is `sinter_hip_allocate` and so on.
#ifndef HIP_DETAIL_FUNCTIONS_HPP
#define HIP_DETAIL_FUNCTIONS_HPP

#include "types.hpp"

#define SINTER_HIP_NAMED(name) __asm__("sinter_hip_" #name)
#define SINTER_HIP_NAMED_AS(name) SINTER_HIP_NAMED(name)

// With -fgpu-default-stream=per-thread the null stream is one that each thread has for itself.
#if defined(HIP_API_PER_THREAD_DEFAULT_STREAM) || defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define SINTER_HIP_OF_THREAD 1
#define SINTER_HIP_STREAM(stream) ((stream) ? (stream) : hipStreamPerThread)
#define SINTER_HIP_LAUNCH launch_kernel_of_thread
#else
#define SINTER_HIP_STREAM(stream) (stream)
#define SINTER_HIP_LAUNCH launch_kernel
#endif

#ifdef __cplusplus
extern "C" {
#endif
hipError_t hipSetDevice(int device) SINTER_HIP_NAMED(set_device);
hipError_t hipGetDevice(int *device) SINTER_HIP_NAMED(get_device);
hipError_t hipGetDeviceCount(int *count) SINTER_HIP_NAMED(get_device_count);
hipError_t hipDeviceReset(void) SINTER_HIP_NAMED(device_reset);
hipError_t hipDeviceSynchronize(void) SINTER_HIP_NAMED(device_synchronize);
hipError_t hipGetLastError(void) SINTER_HIP_NAMED(get_last_error);
hipError_t hipPeekAtLastError(void) SINTER_HIP_NAMED(peek_at_last_error);

// Clang calls these by name.
hipError_t __hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared SINTER_HIP_OR(0),
                                      hipStream_t stream SINTER_HIP_OR(0))
    SINTER_HIP_NAMED(push_call_configuration);
hipError_t __hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, hipStream_t *stream)
    SINTER_HIP_NAMED(pop_call_configuration);
hipError_t hipLaunchKernel_spt(const void *function, dim3 grid, dim3 block, void **arguments,
                               size_t shared SINTER_HIP_OR(0), hipStream_t stream SINTER_HIP_OR(0))
    SINTER_HIP_NAMED(launch_kernel_of_thread);
hipError_t hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                           size_t shared SINTER_HIP_OR(0), hipStream_t stream SINTER_HIP_OR(0))
    SINTER_HIP_NAMED_AS(SINTER_HIP_LAUNCH);

hipError_t hipStreamDestroy(hipStream_t stream) SINTER_HIP_NAMED(stream_destroy);
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) SINTER_HIP_NAMED(event_create);
hipError_t hipEventDestroy(hipEvent_t event) SINTER_HIP_NAMED(event_destroy);
hipError_t hipEventSynchronize(hipEvent_t event) SINTER_HIP_NAMED(event_synchronize);
hipError_t hipEventQuery(hipEvent_t event) SINTER_HIP_NAMED(event_query);
hipError_t hipEventElapsedTime(float *milliseconds, hipEvent_t start, hipEvent_t end)
    SINTER_HIP_NAMED(event_elapsed_time);
hipError_t hipFree(void *memory) SINTER_HIP_NAMED(free);

#ifndef SINTER_HIP_OF_THREAD
hipError_t hipStreamSynchronize(hipStream_t stream) SINTER_HIP_NAMED(stream_synchronize);
hipError_t hipStreamQuery(hipStream_t stream) SINTER_HIP_NAMED(stream_query);
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags SINTER_HIP_OR(0))
    SINTER_HIP_NAMED(stream_wait_event);
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream SINTER_HIP_OR(0)) SINTER_HIP_NAMED(event_record);
#endif
#ifdef __cplusplus
}
#endif

#ifdef SINTER_HIP_OF_THREAD
static inline hipError_t hipStreamSynchronize(hipStream_t stream) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_synchronize(SINTER_HIP_STREAM(stream)));
}
static inline hipError_t hipStreamQuery(hipStream_t stream) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_query(SINTER_HIP_STREAM(stream)));
}
static inline hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags SINTER_HIP_OR(0)) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_stream_wait_event(SINTER_HIP_STREAM(stream), event, flags));
}
static inline hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream SINTER_HIP_OR(0)) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_event_record(event, SINTER_HIP_STREAM(stream)));
}
#endif

#endif
