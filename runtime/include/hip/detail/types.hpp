// Types and numbers of the API. Those that HIP and CUDA share have the same values in both.
#ifndef HIP_DETAIL_TYPES_HPP
#define HIP_DETAIL_TYPES_HPP

#include "../../sinter/hip.h"
#include "../hip_vector_types.h"
#include "errors.hpp"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hipMemcpyKind {
  hipMemcpyHostToHost = 0,
  hipMemcpyHostToDevice = 1,
  hipMemcpyDeviceToHost = 2,
  hipMemcpyDeviceToDevice = 3,
  hipMemcpyDefault = 4
};
typedef enum hipMemcpyKind hipMemcpyKind;

typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef int hipDevice_t;
typedef void *hipDeviceptr_t;
typedef void (*hipHostFn_t)(void *data);
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void *data);

#define hipStreamDefault 0x00
#define hipStreamNonBlocking 0x01
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)
#define hipEventDefault 0x0
#define hipEventBlockingSync 0x1
#define hipEventDisableTiming 0x2
#define hipEventInterprocess 0x4
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocNumaUser 0x20000000
#define hipHostMallocCoherent 0x40000000
#define hipHostMallocNonCoherent 0x80000000
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4
#define hipHostRegisterReadOnly 0x8
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipDeviceScheduleAuto 0x0
#define hipDeviceScheduleSpin 0x1
#define hipDeviceScheduleYield 0x2
#define hipDeviceScheduleBlockingSync 0x4
#define hipDeviceMapHost 0x8
#define hipCpuDeviceId ((int)-1)
#define hipInvalidDeviceId ((int)-2)

enum hipMemoryType {
  hipMemoryTypeUnregistered = 0,
  hipMemoryTypeHost = 1,
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3
};
typedef enum hipMemoryType hipMemoryType;
typedef struct hipPointerAttribute_t hipPointerAttribute_t;
struct hipPointerAttribute_t {
  hipMemoryType type;
  int device;
  void *devicePointer, *hostPointer;
  int isManaged;
  unsigned allocationFlags;
};
enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6
};
typedef enum hipMemoryAdvise hipMemoryAdvise;
enum hipFuncCache_t {
  hipFuncCachePreferNone = 0,
  hipFuncCachePreferShared = 1,
  hipFuncCachePreferL1 = 2,
  hipFuncCachePreferEqual = 3
};
typedef enum hipFuncCache_t hipFuncCache_t;
enum hipSharedMemConfig {
  hipSharedMemBankSizeDefault = 0,
  hipSharedMemBankSizeFourByte = 1,
  hipSharedMemBankSizeEightByte = 2
};
typedef enum hipSharedMemConfig hipSharedMemConfig;
enum hipLimit_t {
  hipLimitStackSize = 0,
  hipLimitPrintfFifoSize = 1,
  hipLimitMallocHeapSize = 2,
  hipLimitRange = 3
};
typedef enum hipLimit_t hipLimit_t;
enum hipFuncAttribute {
  hipFuncAttributeMaxDynamicSharedMemorySize = 8,
  hipFuncAttributePreferredSharedMemoryCarveout = 9
};
typedef enum hipFuncAttribute hipFuncAttribute;
typedef struct hipFuncAttributes hipFuncAttributes;
struct hipFuncAttributes {
  size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
  int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA, maxDynamicSharedSizeBytes;
};

// Features of kernels, for which old programs ask.
typedef struct hipDeviceArch_t hipDeviceArch_t;
struct hipDeviceArch_t {
  unsigned hasGlobalInt32Atomics : 1, hasGlobalFloatAtomicExch : 1, hasSharedInt32Atomics : 1,
      hasSharedFloatAtomicExch : 1, hasFloatAtomicAdd : 1, hasGlobalInt64Atomics : 1, hasSharedInt64Atomics : 1,
      hasDoubles : 1, hasWarpVote : 1, hasWarpBallot : 1, hasWarpShuffle : 1, hasFunnelShift : 1,
      hasThreadFenceSystem : 1, hasSyncThreadsExt : 1, hasSurfaceFuncs : 1, has3dGrid : 1, hasDynamicParallelism : 1;
};
// Members that mean nothing for a device are 0.
typedef struct hipDeviceProp_t hipDeviceProp_t;
struct hipDeviceProp_t {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, textureAlignment, sharedMemPerMultiprocessor,
      sharedMemPerBlockOptin, maxSharedMemoryPerMultiProcessor;
  int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate, memoryClockRate,
      memoryBusWidth, major, minor, multiProcessorCount, l2CacheSize, maxThreadsPerMultiProcessor, computeMode,
      concurrentKernels, pciDomainID, pciBusID, pciDeviceID, isMultiGpuBoard, canMapHostMemory, integrated,
      cooperativeLaunch, cooperativeMultiDeviceLaunch, managedMemory, concurrentManagedAccess, unifiedAddressing,
      asyncEngineCount, deviceOverlap, ECCEnabled, tccDriver, kernelExecTimeoutEnabled, pageableMemoryAccess,
      regsPerMultiprocessor, streamPrioritiesSupported, hostNativeAtomicSupported, computePreemptionSupported,
      isLargeBar, asicRevision, gcnArch, clockInstructionRate, maxBlocksPerMultiProcessor, surfaceAlignment,
      maxTexture1D, maxTexture1DLinear, maxTexture2D[2], maxTexture3D[3], globalL1CacheSupported, localL1CacheSupported,
      singleToDoublePrecisionPerfRatio, canUseHostPointerForRegisteredMem, directManagedMemAccessFromHost,
      pageableMemoryAccessUsesHostPageTables, multiGpuBoardGroupID, persistingL2CacheMaxSize,
      accessPolicyMaxWindowSize;
  char gcnArchName[256];
  hipDeviceArch_t arch;
};
enum hipComputeMode { hipComputeModeDefault = 0, hipComputeModeExclusive = 1, hipComputeModeProhibited = 2 };
typedef enum hipComputeMode hipComputeMode;

enum hipDeviceAttribute_t {
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxBlockDimX,
  hipDeviceAttributeMaxBlockDimY,
  hipDeviceAttributeMaxBlockDimZ,
  hipDeviceAttributeMaxGridDimX,
  hipDeviceAttributeMaxGridDimY,
  hipDeviceAttributeMaxGridDimZ,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerMultiprocessor,
  hipDeviceAttributeTotalConstantMemory,
  hipDeviceAttributeWarpSize,
  hipDeviceAttributeMaxRegistersPerBlock,
  hipDeviceAttributeClockRate,
  hipDeviceAttributeMemoryClockRate,
  hipDeviceAttributeMemoryBusWidth,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeComputeMode,
  hipDeviceAttributeL2CacheSize,
  hipDeviceAttributeMaxThreadsPerMultiProcessor,
  hipDeviceAttributeComputeCapabilityMajor,
  hipDeviceAttributeComputeCapabilityMinor,
  hipDeviceAttributeConcurrentKernels,
  hipDeviceAttributePciBusId,
  hipDeviceAttributePciDeviceId,
  hipDeviceAttributeIntegrated,
  hipDeviceAttributeCanMapHostMemory,
  hipDeviceAttributeCooperativeLaunch,
  hipDeviceAttributeManagedMemory,
  hipDeviceAttributeConcurrentManagedAccess,
  hipDeviceAttributePageableMemoryAccess,
  hipDeviceAttributeUnifiedAddressing,
  hipDeviceAttributeAsyncEngineCount,
  hipDeviceAttributeMemoryPoolsSupported,
  hipDeviceAttributeWallClockRate
};
typedef enum hipDeviceAttribute_t hipDeviceAttribute_t;

#endif
