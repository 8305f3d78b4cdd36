// Devices and errors, as inline functions over the C interface.
#ifndef HIP_DETAIL_DEVICE_HPP
#define HIP_DETAIL_DEVICE_HPP

#include "functions.hpp"

#include <string.h>

static inline hipError_t sinter_hip_failed(hipError_t error) {
  return SINTER_HIP_AS(hipError_t)(sinter_hip_fail(SINTER_HIP_AS(int)(error)));
}

#ifdef SINTER_HIP_IS_CUDA
#define SINTER_HIP_NAME(name, cuda_name, number, text)                                                                \
  case hip##name:                                                                                                    \
    return "cuda" #cuda_name;
#define SINTER_HIP_UNKNOWN "cudaErrorUnknown"
#else
#define SINTER_HIP_NAME(name, cuda_name, number, text)                                                                \
  case hip##name:                                                                                                    \
    return "hip" #name;
#define SINTER_HIP_UNKNOWN "hipErrorUnknown"
#endif
#define SINTER_CUDA_NAME(name, number, text)                                                                          \
  case cuda##name:                                                                                                   \
    return "cuda" #name;
static inline const char *hipGetErrorName(hipError_t error) {
  switch (error) { SINTER_HIP_ERRORS(SINTER_HIP_NAME) SINTER_CUDA_ERRORS(SINTER_CUDA_NAME) }
  return SINTER_HIP_UNKNOWN;
}
#undef SINTER_CUDA_NAME
#undef SINTER_HIP_NAME
#undef SINTER_HIP_UNKNOWN

#define SINTER_HIP_TEXT(name, cuda_name, number, text)                                                                \
  case hip##name:                                                                                                    \
    return text;
#define SINTER_CUDA_TEXT(name, number, text)                                                                          \
  case cuda##name:                                                                                                   \
    return text;
static inline const char *hipGetErrorString(hipError_t error) {
  switch (error) { SINTER_HIP_ERRORS(SINTER_HIP_TEXT) SINTER_CUDA_ERRORS(SINTER_CUDA_TEXT) }
  return "unrecognized error code";
}
#undef SINTER_CUDA_TEXT
#undef SINTER_HIP_TEXT

static inline int sinter_hip_clamp(uint64_t number) {
  return number > 0x7fffffffu ? 0x7fffffff : SINTER_HIP_AS(int)(number);
}

// A number of 32 or 64 bits.
static inline uint64_t sinter_hip_info(int device, sinter_device_info what) {
  uint64_t value = 0;
  sinter_device_get_info(SINTER_HIP_AS(uint32_t)(device), what, &value, sizeof value, NULL);
  return value;
}

static inline hipError_t hipGetDeviceProperties(hipDeviceProp_t *properties, int device) {
  uint32_t count = 0;
  sinter_device_count(&count);
  if (device < 0 || SINTER_HIP_AS(uint32_t)(device) >= count)
    return sinter_hip_failed(hipErrorInvalidDevice);
  hipDeviceProp_t p;
  memset(&p, 0, sizeof p);
  sinter_device_get_info(SINTER_HIP_AS(uint32_t)(device), SINTER_DEVICE_NAME, p.name, sizeof p.name - 1, NULL);
  sinter_device_get_info(SINTER_HIP_AS(uint32_t)(device), SINTER_DEVICE_TARGET, p.gcnArchName, sizeof p.gcnArchName - 1,
                         NULL);
  const bool is_gpu = sinter_hip_info(device, SINTER_DEVICE_TYPE) == SINTER_DEVICE_TYPE_GPU;
  const uint64_t features = sinter_hip_info(device, SINTER_DEVICE_FEATURES);
  p.totalGlobalMem = sinter_hip_info(device, SINTER_DEVICE_GLOBAL_MEM_SIZE);
  p.sharedMemPerBlock = sinter_hip_info(device, SINTER_DEVICE_LOCAL_MEM_SIZE);
  p.sharedMemPerMultiprocessor = p.sharedMemPerBlockOptin = p.maxSharedMemoryPerMultiProcessor = p.sharedMemPerBlock;
  p.totalConstMem = 65536;
  p.memPitch = 0x7fffffff;
  p.textureAlignment = 512;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = 32;
  p.maxThreadsPerBlock = sinter_hip_clamp(sinter_hip_info(device, SINTER_DEVICE_MAX_WORK_GROUP_SIZE));
  uint64_t sizes[3] = {1, 1, 1};
  sinter_device_get_info(SINTER_HIP_AS(uint32_t)(device), SINTER_DEVICE_MAX_WORK_ITEM_SIZES, sizes, sizeof sizes,
                         NULL);
  for (int i = 0; i < 3; ++i) {
    p.maxThreadsDim[i] = sinter_hip_clamp(sizes[i]);
    p.maxGridSize[i] = i == 0 ? 0x7fffffff : 65535;
  }
  p.maxThreadsPerMultiProcessor = is_gpu ? 2 * p.maxThreadsPerBlock : p.maxThreadsPerBlock;
  p.clockRate = SINTER_HIP_AS(int)(1000 * sinter_hip_info(device, SINTER_DEVICE_MAX_CLOCK_FREQUENCY));
  p.memoryClockRate = p.clockRate;
  p.memoryBusWidth = 64;
  // Programs ask for at least this much; the device decides at the launch.
  p.major = 9;
  p.multiProcessorCount =
      SINTER_HIP_AS(int)(sinter_hip_info(device, SINTER_DEVICE_MAX_COMPUTE_UNITS));
  p.concurrentKernels = p.canMapHostMemory = p.unifiedAddressing = p.asyncEngineCount = p.deviceOverlap = 1;
  p.integrated = !is_gpu;
  p.arch.hasGlobalInt32Atomics = p.arch.hasGlobalFloatAtomicExch = p.arch.hasSharedInt32Atomics =
      p.arch.hasSharedFloatAtomicExch = p.arch.hasFloatAtomicAdd = p.arch.hasGlobalInt64Atomics =
          p.arch.hasSharedInt64Atomics = p.arch.hasWarpVote = p.arch.hasWarpBallot = p.arch.hasWarpShuffle =
              p.arch.hasThreadFenceSystem = p.arch.hasSyncThreadsExt = p.arch.has3dGrid = 1;
  p.arch.hasDoubles = (features & SINTER_FEATURE_FP64) != 0;
  p.clockInstructionRate = p.clockRate;
  p.maxBlocksPerMultiProcessor = p.maxThreadsPerMultiProcessor / p.warpSize;
  p.managedMemory = (features & SINTER_FEATURE_USM_SHARED) != 0;
  p.concurrentManagedAccess = p.managedMemory && !is_gpu;
  p.pageableMemoryAccess = (features & SINTER_FEATURE_USM_SYSTEM) != 0;
  *properties = p;
  return hipSuccess;
}

static inline hipError_t hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
  hipDeviceProp_t p;
  if (!value)
    return sinter_hip_failed(hipErrorInvalidValue);
  const hipError_t error = hipGetDeviceProperties(&p, device);
  if (error)
    return error;
  switch (attribute) {
#define SINTER_HIP_ATTRIBUTE(name, member)                                                                            \
  case hipDeviceAttribute##name:                                                                                     \
    *value = sinter_hip_clamp(SINTER_HIP_AS(uint64_t)(p.member));                                                      \
    return hipSuccess;
    SINTER_HIP_ATTRIBUTE(MaxThreadsPerBlock, maxThreadsPerBlock)
    SINTER_HIP_ATTRIBUTE(MaxBlockDimX, maxThreadsDim[0])
    SINTER_HIP_ATTRIBUTE(MaxBlockDimY, maxThreadsDim[1])
    SINTER_HIP_ATTRIBUTE(MaxBlockDimZ, maxThreadsDim[2])
    SINTER_HIP_ATTRIBUTE(MaxGridDimX, maxGridSize[0])
    SINTER_HIP_ATTRIBUTE(MaxGridDimY, maxGridSize[1])
    SINTER_HIP_ATTRIBUTE(MaxGridDimZ, maxGridSize[2])
    SINTER_HIP_ATTRIBUTE(MaxSharedMemoryPerBlock, sharedMemPerBlock)
    SINTER_HIP_ATTRIBUTE(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)
    SINTER_HIP_ATTRIBUTE(TotalConstantMemory, totalConstMem)
    SINTER_HIP_ATTRIBUTE(WarpSize, warpSize)
    SINTER_HIP_ATTRIBUTE(MaxRegistersPerBlock, regsPerBlock)
    SINTER_HIP_ATTRIBUTE(ClockRate, clockRate)
    SINTER_HIP_ATTRIBUTE(MemoryClockRate, memoryClockRate)
    SINTER_HIP_ATTRIBUTE(MemoryBusWidth, memoryBusWidth)
    SINTER_HIP_ATTRIBUTE(MultiprocessorCount, multiProcessorCount)
    SINTER_HIP_ATTRIBUTE(ComputeMode, computeMode)
    SINTER_HIP_ATTRIBUTE(L2CacheSize, l2CacheSize)
    SINTER_HIP_ATTRIBUTE(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)
    SINTER_HIP_ATTRIBUTE(ComputeCapabilityMajor, major)
    SINTER_HIP_ATTRIBUTE(ComputeCapabilityMinor, minor)
    SINTER_HIP_ATTRIBUTE(ConcurrentKernels, concurrentKernels)
    SINTER_HIP_ATTRIBUTE(PciBusId, pciBusID)
    SINTER_HIP_ATTRIBUTE(PciDeviceId, pciDeviceID)
    SINTER_HIP_ATTRIBUTE(Integrated, integrated)
    SINTER_HIP_ATTRIBUTE(CanMapHostMemory, canMapHostMemory)
    SINTER_HIP_ATTRIBUTE(CooperativeLaunch, cooperativeLaunch)
    SINTER_HIP_ATTRIBUTE(ManagedMemory, managedMemory)
    SINTER_HIP_ATTRIBUTE(ConcurrentManagedAccess, concurrentManagedAccess)
    SINTER_HIP_ATTRIBUTE(PageableMemoryAccess, pageableMemoryAccess)
    SINTER_HIP_ATTRIBUTE(UnifiedAddressing, unifiedAddressing)
    SINTER_HIP_ATTRIBUTE(AsyncEngineCount, asyncEngineCount)
#undef SINTER_HIP_ATTRIBUTE
  case hipDeviceAttributeWallClockRate: // in kHz, of `wall_clock64`
    *value = strncmp(p.gcnArchName, "amdgpu", 6) == 0 ? 100000 : 1000000;
    return hipSuccess;
  case hipDeviceAttributeMemoryPoolsSupported:
    *value = 0;
    return hipSuccess;
  }
  return sinter_hip_failed(hipErrorInvalidValue);
}

static inline hipError_t hipInit(unsigned) { return hipSuccess; }
static inline hipError_t hipSetDeviceFlags(unsigned) { return hipSuccess; }
// HIP_VERSION and CUDART_VERSION.
#ifdef SINTER_HIP_IS_CUDA
#define SINTER_HIP_VERSION 12000
#else
#define SINTER_HIP_VERSION 60000000
#endif
static inline hipError_t hipDriverGetVersion(int *version) {
  return version ? (*version = SINTER_HIP_VERSION, hipSuccess) : sinter_hip_failed(hipErrorInvalidValue);
}
static inline hipError_t hipRuntimeGetVersion(int *version) { return hipDriverGetVersion(version); }
#ifdef __cplusplus
// Limits of the memory that kernels use by themselves. NVIDIA's GPUs have the first two; otherwise
// they are only kept.
struct sinter_hip_limits {
  size_t values[hipLimitRange] = {1024, 1 << 20, 8 << 20};
};
inline sinter_hip_limits &sinter_hip_kept_limits() {
  static sinter_hip_limits kept;
  return kept;
}
static inline hipError_t hipDeviceGetLimit(size_t *value, hipLimit_t limit) {
  if (limit < 0 || limit >= hipLimitRange)
    return sinter_hip_failed(hipErrorInvalidValue);
  return *value = sinter_hip_kept_limits().values[limit], hipSuccess;
}
static inline hipError_t hipDeviceSetLimit(hipLimit_t limit, size_t value) {
  if (limit < 0 || limit >= hipLimitRange)
    return sinter_hip_failed(hipErrorInvalidValue);
  if (limit != hipLimitMallocHeapSize) {
    const sinter_limit kind = limit == hipLimitStackSize ? SINTER_LIMIT_STACK : SINTER_LIMIT_PRINTS;
    int device = 0;
    hipError_t error = hipGetDevice(&device);
    if (!error && sinter_device_set_limit(SINTER_HIP_AS(uint32_t)(device), kind, value, nullptr))
      error = sinter_hip_failed(hipErrorInvalidValue);
    if (error)
      return error;
  }
  return sinter_hip_kept_limits().values[limit] = value, hipSuccess;
}
#endif
static inline hipError_t hipGetDeviceFlags(unsigned *flags) { return *flags = hipDeviceMapHost, hipSuccess; }
static inline hipError_t hipDeviceGetCacheConfig(hipFuncCache_t *config) {
  return *config = hipFuncCachePreferNone, hipSuccess;
}
static inline hipError_t hipDeviceGetSharedMemConfig(hipSharedMemConfig *config) {
  return *config = hipSharedMemBankSizeDefault, hipSuccess;
}
static inline hipError_t hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
  hipDeviceProp_t p;
  const hipError_t error = hipGetDeviceProperties(&p, device);
  return error ? error : (*major = p.major, *minor = p.minor, hipSuccess);
}
// The device with as much memory and as many work-items of a block as wanted, or else the first.
static inline hipError_t hipChooseDevice(int *device, const hipDeviceProp_t *wanted) {
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error)
    return error;
  for (int number = count - 1; number >= 0; --number) {
    hipDeviceProp_t p;
    const hipError_t error = hipGetDeviceProperties(&p, number);
    if (error)
      return error;
    if (number == 0 || (p.totalGlobalMem >= wanted->totalGlobalMem &&
                        p.maxThreadsPerBlock >= wanted->maxThreadsPerBlock && p.major >= wanted->major))
      *device = number;
  }
  return hipSuccess;
}
// The runtime does not know where a device is on the bus: its number stands for that.
static inline hipError_t hipDeviceGetPCIBusId(char *text, int length, int device) {
  hipDeviceProp_t p;
  const hipError_t error = hipGetDeviceProperties(&p, device);
  if (error)
    return error;
  if (length < 13)
    return sinter_hip_failed(hipErrorInvalidValue);
  const char digits[] = "0123456789abcdef";
  memcpy(text, "0000:00:00.0", 13);
  text[8] = digits[device / 16 % 16];
  text[9] = digits[device % 16];
  return hipSuccess;
}
static inline hipError_t hipDeviceGetByPCIBusId(int *device, const char *text) {
  int count = 0;
  const hipError_t error = hipGetDeviceCount(&count);
  if (error)
    return error;
  for (int number = 0; number < count; ++number) {
    char known[13];
    if (!hipDeviceGetPCIBusId(known, sizeof known, number) && strcmp(known, text) == 0)
      return *device = number, hipSuccess;
  }
  return sinter_hip_failed(hipErrorInvalidDevice);
}
static inline hipError_t hipDeviceSetCacheConfig(hipFuncCache_t) { return hipSuccess; }
static inline hipError_t hipDeviceSetSharedMemConfig(hipSharedMemConfig) { return hipSuccess; }
static inline hipError_t hipDeviceGet(hipDevice_t *device, int number) { return *device = number, hipSuccess; }
static inline hipError_t hipDeviceGetName(char *name, int length, hipDevice_t device) {
  hipDeviceProp_t p;
  const hipError_t error = hipGetDeviceProperties(&p, device);
  if (!error && length > 0) {
    strncpy(name, p.name, SINTER_HIP_AS(size_t)(length));
    name[length - 1] = 0;
  }
  return error;
}
static inline hipError_t hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
  hipDeviceProp_t p;
  const hipError_t error = hipGetDeviceProperties(&p, device);
  return *bytes = error ? 0 : p.totalGlobalMem, error;
}
// The greatest priority is the smallest number; all streams have the same here.
static inline hipError_t hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return *least = *greatest = 0, hipSuccess;
}
static inline hipError_t hipDeviceCanAccessPeer(int *can, int device, int peer) {
  *can = 0;
  if (device == peer)
    return hipSuccess;
  const sinter_status status =
      sinter_device_set_peer_access(SINTER_HIP_AS(uint32_t)(device), SINTER_HIP_AS(uint32_t)(peer), 1, can);
  return status ? sinter_hip_failed(hipErrorInvalidDevice) : hipSuccess;
}
static inline hipError_t hipDeviceEnablePeerAccess(int peer, unsigned) {
  int device = 0, can = 0;
  hipGetDevice(&device);
  const hipError_t error = hipDeviceCanAccessPeer(&can, device, peer);
  return error ? error : can ? hipSuccess : sinter_hip_failed(hipErrorInvalidDevice);
}
static inline hipError_t hipDeviceDisablePeerAccess(int peer) {
  int device = 0, can = 0;
  hipGetDevice(&device);
  const sinter_status status =
      sinter_device_set_peer_access(SINTER_HIP_AS(uint32_t)(device), SINTER_HIP_AS(uint32_t)(peer), 0, &can);
  return status ? sinter_hip_failed(hipErrorInvalidDevice) : hipSuccess;
}

#endif
