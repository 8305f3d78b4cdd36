// Memory by pointers of any type, and variables of devices, in C++.
#ifndef HIP_DETAIL_TYPED_MEMORY_HPP
#define HIP_DETAIL_TYPED_MEMORY_HPP

#include "memory.hpp"

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
template <class Type> static inline hipError_t hipHostGetDevicePointer(Type **device, void *host, unsigned flags) {
  return hipHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
template <class Type>
static inline hipError_t hipMallocPitch(Type **memory, size_t *pitch, size_t width, size_t height) {
  return hipMallocPitch(reinterpret_cast<void **>(memory), pitch, width, height);
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

#endif
