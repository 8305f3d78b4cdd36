// Memory and copies.
#ifndef HIP_DETAIL_MEMORY_HPP
#define HIP_DETAIL_MEMORY_HPP

#include "device.hpp"

static inline hipError_t sinter_hip_allocated(void **memory, size_t size, int kind) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_allocate(memory, size, kind));
}
static inline hipError_t sinter_hip_copied(void *to, const void *from, size_t size, hipStream_t stream, bool waits) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_copy(to, from, size, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t sinter_hip_filled(void *to, const void *pattern, size_t width, size_t count,
                                           hipStream_t stream, bool waits) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_fill(to, pattern, width, count, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t sinter_hip_copied_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                                size_t width, size_t height, hipStream_t stream, bool waits) {
  return SINTER_HIP_AS(hipError_t)(
      sinter_hip_copy_rows(to, to_pitch, from, from_pitch, width, height, SINTER_HIP_STREAM(stream), waits));
}

static inline hipError_t hipMalloc(void **memory, size_t size) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_DEVICE);
}
static inline hipError_t hipMallocManaged(void **memory, size_t size, unsigned SINTER_HIP_OR(hipMemAttachGlobal)) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_SHARED);
}
static inline hipError_t hipHostMalloc(void **memory, size_t size, unsigned SINTER_HIP_OR(hipHostMallocDefault)) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_HOST);
}
static inline hipError_t hipMallocHost(void **memory, size_t size) {
  return hipHostMalloc(memory, size, hipHostMallocDefault);
}
static inline hipError_t hipHostAlloc(void **memory, size_t size, unsigned flags) {
  return hipHostMalloc(memory, size, flags);
}
static inline hipError_t hipMallocAsync(void **memory, size_t size, hipStream_t stream) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_allocate_in_order(memory, size, SINTER_HIP_STREAM(stream)));
}
static inline hipError_t hipHostFree(void *memory) { return hipFree(memory); }
static inline hipError_t hipFreeHost(void *memory) { return hipFree(memory); }
static inline hipError_t hipFreeAsync(void *memory, hipStream_t stream) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_free_in_order(memory, SINTER_HIP_STREAM(stream)));
}
static inline hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_host_address(device, host, flags));
}
static inline hipError_t hipHostRegister(void *memory, size_t size, unsigned flags) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_host_register(memory, size, flags));
}
static inline hipError_t hipHostUnregister(void *memory) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_host_unregister(memory));
}
static inline hipError_t hipHostGetFlags(unsigned *flags, void *memory) {
  sinter_pointer_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  if (sinter_pointer_get_info(memory, &info) || info.kind != SINTER_MEMORY_HOST)
    return sinter_hip_failed(hipErrorInvalidValue);
  return *flags = hipHostMallocMapped, hipSuccess;
}

static inline hipError_t hipMemGetInfo(size_t *available, size_t *total) {
  int device = 0;
  hipGetDevice(&device);
  const hipError_t error = hipDeviceTotalMem(total, device);
  return *available = *total, error;
}

// The runtime knows where addresses lead, so that a direction has only to be one.
static inline bool sinter_hip_is_direction(hipMemcpyKind kind) {
  return SINTER_HIP_AS(unsigned)(kind) <= SINTER_HIP_AS(unsigned)(hipMemcpyDefault);
}
static inline hipError_t sinter_hip_no_direction() { return sinter_hip_failed(hipErrorInvalidMemcpyDirection); }
static inline hipError_t hipMemcpy(void *to, const void *from, size_t size, hipMemcpyKind kind) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, NULL, true) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpyAsync(void *to, const void *from, size_t size, hipMemcpyKind kind,
                                        hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, stream, false) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t size) {
  return sinter_hip_copied(to, from, size, NULL, true);
}
static inline hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t size) {
  return sinter_hip_copied(to, from, size, NULL, true);
}
static inline hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t size) {
  return sinter_hip_copied(to, from, size, NULL, true);
}
static inline hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t to, const void *from, size_t size, hipStream_t stream) {
  return sinter_hip_copied(to, from, size, stream, false);
}
static inline hipError_t hipMemcpyDtoHAsync(void *to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
  return sinter_hip_copied(to, from, size, stream, false);
}
static inline hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t to, hipDeviceptr_t from, size_t size, hipStream_t stream) {
  return sinter_hip_copied(to, from, size, stream, false);
}
static inline hipError_t hipMemcpyPeer(void *to, int, const void *from, int, size_t size) {
  return sinter_hip_copied(to, from, size, NULL, true);
}
static inline hipError_t hipMemcpyPeerAsync(void *to, int, const void *from, int, size_t size,
                                            hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_copied(to, from, size, stream, false);
}
static inline hipError_t hipMemcpyWithStream(void *to, const void *from, size_t size, hipMemcpyKind kind,
                                             hipStream_t stream) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, stream, true) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, hipMemcpyKind kind) {
  return sinter_hip_is_direction(kind)
             ? sinter_hip_copied_rows(to, to_pitch, from, from_pitch, width, height, NULL, true)
             : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                          size_t height, hipMemcpyKind kind, hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_is_direction(kind)
             ? sinter_hip_copied_rows(to, to_pitch, from, from_pitch, width, height, stream, false)
             : sinter_hip_no_direction();
}
static inline hipError_t hipMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return hipMalloc(memory, *pitch * height);
}

static inline hipError_t hipMemsetAsync(void *to, int value, size_t size, hipStream_t stream SINTER_HIP_OR(0)) {
  const unsigned char byte = SINTER_HIP_AS(unsigned char)(value);
  return sinter_hip_filled(to, &byte, 1, size, stream, false);
}
static inline hipError_t hipMemset(void *to, int value, size_t size) {
  const unsigned char byte = SINTER_HIP_AS(unsigned char)(value);
  return sinter_hip_filled(to, &byte, 1, size, NULL, true);
}
static inline hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return sinter_hip_filled(to, &value, 1, count, NULL, true);
}
static inline hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return sinter_hip_filled(to, &value, 2, count, NULL, true);
}
static inline hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return sinter_hip_filled(to, &value, 4, count, NULL, true);
}
static inline hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count,
                                          hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_filled(to, &value, 1, count, stream, false);
}
static inline hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count,
                                           hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_filled(to, &value, 2, count, stream, false);
}
static inline hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count,
                                           hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_filled(to, &value, 4, count, stream, false);
}

static inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  sinter_pointer_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  if (sinter_pointer_get_info(pointer, &info))
    return sinter_hip_failed(hipErrorInvalidValue);
  hipPointerAttribute_t found;
  memset(&found, 0, sizeof found);
  void *address = (void *)(uintptr_t)pointer;
  found.device = SINTER_HIP_AS(int)(info.device);
  found.type = info.kind == SINTER_MEMORY_DEVICE   ? hipMemoryTypeDevice
               : info.kind == SINTER_MEMORY_HOST   ? hipMemoryTypeHost
               : info.kind == SINTER_MEMORY_SHARED ? hipMemoryTypeManaged
                                                   : hipMemoryTypeUnregistered;
  found.isManaged = info.kind == SINTER_MEMORY_SHARED;
  found.devicePointer = info.kind == SINTER_MEMORY_UNKNOWN ? NULL : address;
  if (info.kind == SINTER_MEMORY_HOST)
    sinter_hip_host_address(&found.devicePointer, address, 0);
  found.hostPointer = info.kind == SINTER_MEMORY_DEVICE ? NULL : address;
  return *attributes = found, hipSuccess;
}
// Hints, which have no effect.
static inline hipError_t hipMemPrefetchAsync(const void *, size_t, int, hipStream_t SINTER_HIP_OR(0)) {
  return hipSuccess;
}
static inline hipError_t hipMemAdvise(const void *, size_t, hipMemoryAdvise, int) { return hipSuccess; }

#endif
