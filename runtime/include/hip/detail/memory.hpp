// Memory, copies, variables of devices.
#ifndef HIP_DETAIL_MEMORY_HPP
#define HIP_DETAIL_MEMORY_HPP

#include "device.hpp"

static inline hipError_t sinter_hip_allocated(void **memory, size_t size, int kind) {
  return static_cast<hipError_t>(sinter_hip_allocate(memory, size, kind));
}
static inline hipError_t sinter_hip_copied(void *to, const void *from, size_t size, hipStream_t stream, bool waits) {
  return static_cast<hipError_t>(sinter_hip_copy(to, from, size, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t sinter_hip_filled(void *to, const void *pattern, size_t width, size_t count,
                                           hipStream_t stream, bool waits) {
  return static_cast<hipError_t>(sinter_hip_fill(to, pattern, width, count, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t sinter_hip_copied_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                                size_t width, size_t height, hipStream_t stream, bool waits) {
  return static_cast<hipError_t>(
      sinter_hip_copy_rows(to, to_pitch, from, from_pitch, width, height, SINTER_HIP_STREAM(stream), waits));
}

static inline hipError_t hipMalloc(void **memory, size_t size) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_DEVICE);
}
static inline hipError_t hipMallocManaged(void **memory, size_t size, unsigned = hipMemAttachGlobal) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_SHARED);
}
static inline hipError_t hipHostMalloc(void **memory, size_t size, unsigned = hipHostMallocDefault) {
  return sinter_hip_allocated(memory, size, SINTER_MEMORY_HOST);
}
static inline hipError_t hipMallocHost(void **memory, size_t size) { return hipHostMalloc(memory, size); }
static inline hipError_t hipHostAlloc(void **memory, size_t size, unsigned flags) {
  return hipHostMalloc(memory, size, flags);
}
static inline hipError_t hipMallocAsync(void **memory, size_t size, hipStream_t stream) {
  return static_cast<hipError_t>(sinter_hip_allocate_in_order(memory, size, SINTER_HIP_STREAM(stream)));
}
template <class Type> static inline hipError_t hipMalloc(Type **memory, size_t size) {
  return hipMalloc(reinterpret_cast<void **>(memory), size);
}
template <class Type>
static inline hipError_t hipMallocManaged(Type **memory, size_t size, unsigned flags = hipMemAttachGlobal) {
  return hipMallocManaged(reinterpret_cast<void **>(memory), size, flags);
}
template <class Type>
static inline hipError_t hipHostMalloc(Type **memory, size_t size, unsigned flags = hipHostMallocDefault) {
  return hipHostMalloc(reinterpret_cast<void **>(memory), size, flags);
}
template <class Type> static inline hipError_t hipMallocHost(Type **memory, size_t size) {
  return hipHostMalloc(reinterpret_cast<void **>(memory), size);
}
template <class Type> static inline hipError_t hipHostAlloc(Type **memory, size_t size, unsigned flags) {
  return hipHostMalloc(reinterpret_cast<void **>(memory), size, flags);
}
template <class Type> static inline hipError_t hipMallocAsync(Type **memory, size_t size, hipStream_t stream) {
  return hipMallocAsync(reinterpret_cast<void **>(memory), size, stream);
}
static inline hipError_t hipHostFree(void *memory) { return hipFree(memory); }
static inline hipError_t hipFreeHost(void *memory) { return hipFree(memory); }
static inline hipError_t hipFreeAsync(void *memory, hipStream_t stream) {
  return static_cast<hipError_t>(sinter_hip_free_in_order(memory, SINTER_HIP_STREAM(stream)));
}
static inline hipError_t hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
  return static_cast<hipError_t>(sinter_hip_host_address(device, host, flags));
}
template <class Type> static inline hipError_t hipHostGetDevicePointer(Type **device, void *host, unsigned flags) {
  return hipHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
static inline hipError_t hipHostRegister(void *memory, size_t size, unsigned flags) {
  return static_cast<hipError_t>(sinter_hip_host_register(memory, size, flags));
}
static inline hipError_t hipHostUnregister(void *memory) {
  return static_cast<hipError_t>(sinter_hip_host_unregister(memory));
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
  return static_cast<unsigned>(kind) <= static_cast<unsigned>(hipMemcpyDefault);
}
static inline hipError_t sinter_hip_no_direction() { return sinter_hip_failed(hipErrorInvalidMemcpyDirection); }
static inline hipError_t hipMemcpy(void *to, const void *from, size_t size, hipMemcpyKind kind) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, nullptr, true) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpyAsync(void *to, const void *from, size_t size, hipMemcpyKind kind,
                                        hipStream_t stream = 0) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, stream, false) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpyHtoD(hipDeviceptr_t to, const void *from, size_t size) {
  return sinter_hip_copied(to, from, size, nullptr, true);
}
static inline hipError_t hipMemcpyDtoH(void *to, hipDeviceptr_t from, size_t size) {
  return sinter_hip_copied(to, from, size, nullptr, true);
}
static inline hipError_t hipMemcpyDtoD(hipDeviceptr_t to, hipDeviceptr_t from, size_t size) {
  return sinter_hip_copied(to, from, size, nullptr, true);
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
  return sinter_hip_copied(to, from, size, nullptr, true);
}
static inline hipError_t hipMemcpyPeerAsync(void *to, int, const void *from, int, size_t size, hipStream_t stream = 0) {
  return sinter_hip_copied(to, from, size, stream, false);
}
static inline hipError_t hipMemcpyWithStream(void *to, const void *from, size_t size, hipMemcpyKind kind,
                                             hipStream_t stream) {
  return sinter_hip_is_direction(kind) ? sinter_hip_copied(to, from, size, stream, true) : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                     size_t height, hipMemcpyKind kind) {
  return sinter_hip_is_direction(kind)
             ? sinter_hip_copied_rows(to, to_pitch, from, from_pitch, width, height, nullptr, true)
             : sinter_hip_no_direction();
}
static inline hipError_t hipMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                                          size_t height, hipMemcpyKind kind, hipStream_t stream = 0) {
  return sinter_hip_is_direction(kind)
             ? sinter_hip_copied_rows(to, to_pitch, from, from_pitch, width, height, stream, false)
             : sinter_hip_no_direction();
}
static inline hipError_t hipMallocPitch(void **memory, size_t *pitch, size_t width, size_t height) {
  *pitch = (width + 511) / 512 * 512;
  return hipMalloc(memory, *pitch * height);
}
template <class Type>
static inline hipError_t hipMallocPitch(Type **memory, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void **>(memory), pitch, width, height);
}

static inline hipError_t hipMemsetAsync(void *to, int value, size_t size, hipStream_t stream = 0) {
  const unsigned char byte = static_cast<unsigned char>(value);
  return sinter_hip_filled(to, &byte, 1, size, stream, false);
}
static inline hipError_t hipMemset(void *to, int value, size_t size) {
  const unsigned char byte = static_cast<unsigned char>(value);
  return sinter_hip_filled(to, &byte, 1, size, nullptr, true);
}
static inline hipError_t hipMemsetD8(hipDeviceptr_t to, unsigned char value, size_t count) {
  return sinter_hip_filled(to, &value, 1, count, nullptr, true);
}
static inline hipError_t hipMemsetD16(hipDeviceptr_t to, unsigned short value, size_t count) {
  return sinter_hip_filled(to, &value, 2, count, nullptr, true);
}
static inline hipError_t hipMemsetD32(hipDeviceptr_t to, int value, size_t count) {
  return sinter_hip_filled(to, &value, 4, count, nullptr, true);
}
static inline hipError_t hipMemsetD8Async(hipDeviceptr_t to, unsigned char value, size_t count,
                                          hipStream_t stream = 0) {
  return sinter_hip_filled(to, &value, 1, count, stream, false);
}
static inline hipError_t hipMemsetD16Async(hipDeviceptr_t to, unsigned short value, size_t count,
                                           hipStream_t stream = 0) {
  return sinter_hip_filled(to, &value, 2, count, stream, false);
}
static inline hipError_t hipMemsetD32Async(hipDeviceptr_t to, int value, size_t count, hipStream_t stream = 0) {
  return sinter_hip_filled(to, &value, 4, count, stream, false);
}

// A variable of devices: itself, its address as `&variable`, or a `const void *` to it.
struct sinter_hip_symbol {
  const void *address;
  template <class Type> sinter_hip_symbol(const Type &variable) : address(&variable) {}
  template <class Type> sinter_hip_symbol(Type *&&pointer) : address(pointer) {}
  sinter_hip_symbol(const void *const &pointer) : address(pointer) {}
};
#define HIP_SYMBOL(variable) variable

static inline hipError_t hipGetSymbolAddress(void **address, const sinter_hip_symbol &symbol) {
  return static_cast<hipError_t>(sinter_hip_symbol_address(symbol.address, address, nullptr));
}
static inline hipError_t hipGetSymbolSize(size_t *size, const sinter_hip_symbol &symbol) {
  return static_cast<hipError_t>(sinter_hip_symbol_address(symbol.address, nullptr, size));
}
// The variable is memory of a device: with memory of the host the kind is `with_host`.
static inline bool sinter_hip_has_symbol(hipMemcpyKind kind, hipMemcpyKind with_host) {
  return kind == with_host || kind == hipMemcpyDeviceToDevice || kind == hipMemcpyDefault;
}
static inline hipError_t sinter_hip_copied_to_symbol(const void *symbol, size_t offset, const void *from, size_t size,
                                                     hipStream_t stream, bool waits) {
  return static_cast<hipError_t>(
      sinter_hip_copy_to_symbol(symbol, offset, from, size, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t sinter_hip_copied_from_symbol(void *to, const void *symbol, size_t offset, size_t size,
                                                       hipStream_t stream, bool waits) {
  return static_cast<hipError_t>(
      sinter_hip_copy_from_symbol(to, symbol, offset, size, SINTER_HIP_STREAM(stream), waits));
}
static inline hipError_t hipMemcpyToSymbolAsync(const sinter_hip_symbol &symbol, const void *from, size_t size,
                                                size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice,
                                                hipStream_t stream = 0) {
  if (!sinter_hip_has_symbol(kind, hipMemcpyHostToDevice))
    return sinter_hip_no_direction();
  return sinter_hip_copied_to_symbol(symbol.address, offset, from, size, stream, false);
}
static inline hipError_t hipMemcpyToSymbol(const sinter_hip_symbol &symbol, const void *from, size_t size,
                                           size_t offset = 0, hipMemcpyKind kind = hipMemcpyHostToDevice) {
  if (!sinter_hip_has_symbol(kind, hipMemcpyHostToDevice))
    return sinter_hip_no_direction();
  return sinter_hip_copied_to_symbol(symbol.address, offset, from, size, nullptr, true);
}
static inline hipError_t hipMemcpyFromSymbolAsync(void *to, const sinter_hip_symbol &symbol, size_t size,
                                                  size_t offset = 0, hipMemcpyKind kind = hipMemcpyDeviceToHost,
                                                  hipStream_t stream = 0) {
  if (!sinter_hip_has_symbol(kind, hipMemcpyDeviceToHost))
    return sinter_hip_no_direction();
  return sinter_hip_copied_from_symbol(to, symbol.address, offset, size, stream, false);
}
static inline hipError_t hipMemcpyFromSymbol(void *to, const sinter_hip_symbol &symbol, size_t size, size_t offset = 0,
                                             hipMemcpyKind kind = hipMemcpyDeviceToHost) {
  if (!sinter_hip_has_symbol(kind, hipMemcpyDeviceToHost))
    return sinter_hip_no_direction();
  return sinter_hip_copied_from_symbol(to, symbol.address, offset, size, nullptr, true);
}

static inline hipError_t hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *pointer) {
  sinter_pointer_info info;
  memset(&info, 0, sizeof info);
  info.struct_size = sizeof info;
  if (sinter_pointer_get_info(pointer, &info))
    return sinter_hip_failed(hipErrorInvalidValue);
  hipPointerAttribute_t found;
  memset(&found, 0, sizeof found);
  void *address = const_cast<void *>(pointer);
  found.device = static_cast<int>(info.device);
  found.type = info.kind == SINTER_MEMORY_DEVICE   ? hipMemoryTypeDevice
               : info.kind == SINTER_MEMORY_HOST   ? hipMemoryTypeHost
               : info.kind == SINTER_MEMORY_SHARED ? hipMemoryTypeManaged
                                                   : hipMemoryTypeUnregistered;
  found.isManaged = info.kind == SINTER_MEMORY_SHARED;
  found.devicePointer = info.kind == SINTER_MEMORY_UNKNOWN ? nullptr : address;
  if (info.kind == SINTER_MEMORY_HOST)
    sinter_hip_host_address(&found.devicePointer, address, 0);
  found.hostPointer = info.kind == SINTER_MEMORY_DEVICE ? nullptr : address;
  return *attributes = found, hipSuccess;
}
// Hints, which have no effect.
static inline hipError_t hipMemPrefetchAsync(const void *, size_t, int, hipStream_t = 0) { return hipSuccess; }
static inline hipError_t hipMemAdvise(const void *, size_t, hipMemoryAdvise, int) { return hipSuccess; }

#endif
