// Memory in rows and layers: pitched allocations, fills and copies in two and three dimensions.
#ifndef HIP_DETAIL_VOLUMES_HPP
#define HIP_DETAIL_VOLUMES_HPP

#include "memory.hpp"

typedef struct hipExtent hipExtent;
struct hipExtent {
  size_t width, height, depth; // the width in bytes
};
typedef struct hipPos hipPos;
struct hipPos {
  size_t x, y, z; // x in bytes
};
typedef struct hipPitchedPtr hipPitchedPtr;
struct hipPitchedPtr {
  void *ptr;
  size_t pitch, xsize, ysize;
};
// Arrays belong to textures, which are missing: their handles are null.
typedef struct hipArray *hipArray_t;
typedef struct hipMemcpy3DParms hipMemcpy3DParms;
struct hipMemcpy3DParms {
  hipArray_t srcArray;
  hipPos srcPos;
  hipPitchedPtr srcPtr;
  hipArray_t dstArray;
  hipPos dstPos;
  hipPitchedPtr dstPtr;
  hipExtent extent;
  hipMemcpyKind kind;
};

static inline hipExtent make_hipExtent(size_t width, size_t height, size_t depth) {
  return SINTER_HIP_MAKE(hipExtent){width, height, depth};
}
static inline hipPos make_hipPos(size_t x, size_t y, size_t z) { return SINTER_HIP_MAKE(hipPos){x, y, z}; }
static inline hipPitchedPtr make_hipPitchedPtr(void *memory, size_t pitch, size_t xsize, size_t ysize) {
  return SINTER_HIP_MAKE(hipPitchedPtr){memory, pitch, xsize, ysize};
}

static inline hipError_t hipMalloc3D(hipPitchedPtr *memory, hipExtent extent) {
  hipPitchedPtr made = {NULL, 0, extent.width, extent.height};
  const hipError_t error = hipMallocPitch(&made.ptr, &made.pitch, extent.width, extent.height * extent.depth);
  if (!error)
    *memory = made;
  return error;
}
static inline hipError_t hipMemAllocPitch(hipDeviceptr_t *memory, size_t *pitch, size_t width, size_t height,
                                          unsigned) {
  return hipMallocPitch(memory, pitch, width, height);
}

static inline hipError_t hipMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                                          hipStream_t stream SINTER_HIP_OR(0)) {
  if (pitch < width)
    return sinter_hip_failed(hipErrorInvalidPitchValue);
  if (pitch == width)
    return hipMemsetAsync(to, value, width * height, stream);
  hipError_t error = hipSuccess;
  for (size_t row = 0; row < height && !error; ++row)
    error = hipMemsetAsync(SINTER_HIP_AS(char *)(to) + row * pitch, value, width, stream);
  return error;
}
static inline hipError_t hipMemset2D(void *to, size_t pitch, int value, size_t width, size_t height) {
  const hipError_t error = hipMemset2DAsync(to, pitch, value, width, height, 0);
  return error ? error : hipStreamSynchronize(NULL);
}
static inline hipError_t hipMemset3DAsync(hipPitchedPtr to, int value, hipExtent extent,
                                          hipStream_t stream SINTER_HIP_OR(0)) {
  hipError_t error = hipSuccess;
  for (size_t layer = 0; layer < extent.depth && !error; ++layer)
    error = hipMemset2DAsync(SINTER_HIP_AS(char *)(to.ptr) + layer * to.ysize * to.pitch, to.pitch, value, extent.width,
                             extent.height, stream);
  return error;
}
static inline hipError_t hipMemset3D(hipPitchedPtr to, int value, hipExtent extent) {
  const hipError_t error = hipMemset3DAsync(to, value, extent, 0);
  return error ? error : hipStreamSynchronize(NULL);
}

static inline char *sinter_hip_at(hipPitchedPtr memory, hipPos at, size_t layer) {
  return SINTER_HIP_AS(char *)(memory.ptr) + ((at.z + layer) * memory.ysize + at.y) * memory.pitch + at.x;
}
static inline hipError_t sinter_hip_copied_layers(const hipMemcpy3DParms *what, hipStream_t stream, bool waits) {
  if (what->srcArray || what->dstArray)
    return sinter_hip_failed(hipErrorNotSupported);
  if (!sinter_hip_is_direction(what->kind))
    return sinter_hip_no_direction();
  hipError_t error = hipSuccess;
  for (size_t layer = 0; layer < what->extent.depth && !error; ++layer)
    error = sinter_hip_copied_rows(sinter_hip_at(what->dstPtr, what->dstPos, layer), what->dstPtr.pitch,
                                   sinter_hip_at(what->srcPtr, what->srcPos, layer), what->srcPtr.pitch,
                                   what->extent.width, what->extent.height, stream, waits);
  return error;
}
static inline hipError_t hipMemcpy3D(const hipMemcpy3DParms *what) {
  return sinter_hip_copied_layers(what, NULL, true);
}
static inline hipError_t hipMemcpy3DAsync(const hipMemcpy3DParms *what, hipStream_t stream SINTER_HIP_OR(0)) {
  return sinter_hip_copied_layers(what, stream, false);
}

#endif
