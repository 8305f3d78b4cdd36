// Codes of errors, which have the same values in HIP and CUDA, and a type for both.
#ifndef HIP_DETAIL_ERRORS_HPP
#define HIP_DETAIL_ERRORS_HPP

// Name in HIP and in CUDA, number, what hipGetErrorString says.
#define SINTER_HIP_ERRORS(Each)                                                                                        \
  Each(Success, Success, 0, "no error")                                                                                \
  Each(ErrorInvalidValue, ErrorInvalidValue, 1, "invalid argument")                                                    \
  Each(ErrorOutOfMemory, ErrorMemoryAllocation, 2, "out of memory")                                                    \
  Each(ErrorNotInitialized, ErrorInitializationError, 3, "initialization error")                                       \
  Each(ErrorDeinitialized, ErrorCudartUnloading, 4, "driver shutting down")                                            \
  Each(ErrorProfilerDisabled, ErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")       \
  Each(ErrorProfilerNotInitialized, ErrorProfilerNotInitialized, 6, "profiler not initialized")                        \
  Each(ErrorProfilerAlreadyStarted, ErrorProfilerAlreadyStarted, 7, "profiler already started")                        \
  Each(ErrorProfilerAlreadyStopped, ErrorProfilerAlreadyStopped, 8, "profiler already stopped")                        \
  Each(ErrorInvalidConfiguration, ErrorInvalidConfiguration, 9, "invalid configuration argument")                      \
  Each(ErrorInvalidPitchValue, ErrorInvalidPitchValue, 12, "invalid pitch argument")                                   \
  Each(ErrorInvalidSymbol, ErrorInvalidSymbol, 13, "invalid device symbol")                                            \
  Each(ErrorInvalidDevicePointer, ErrorInvalidDevicePointer, 17, "invalid device pointer")                             \
  Each(ErrorInvalidMemcpyDirection, ErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")              \
  Each(ErrorInsufficientDriver, ErrorInsufficientDriver, 35, "driver version is insufficient for runtime version")     \
  Each(ErrorMissingConfiguration, ErrorMissingConfiguration, 52, "__global__ function call is not configured")         \
  Each(ErrorPriorLaunchFailure, ErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")             \
  Each(ErrorInvalidDeviceFunction, ErrorInvalidDeviceFunction, 98, "invalid device function")                          \
  Each(ErrorNoDevice, ErrorNoDevice, 100, "no device is detected")                                                     \
  Each(ErrorInvalidDevice, ErrorInvalidDevice, 101, "invalid device ordinal")                                          \
  Each(ErrorInvalidImage, ErrorInvalidKernelImage, 200, "device kernel image is invalid")                              \
  Each(ErrorInvalidContext, ErrorDeviceUninitialized, 201, "invalid device context")                                   \
  Each(ErrorContextAlreadyCurrent, ErrorContextAlreadyCurrent, 202, "context is already current context")              \
  Each(ErrorMapFailed, ErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                             \
  Each(ErrorUnmapFailed, ErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                       \
  Each(ErrorArrayIsMapped, ErrorArrayIsMapped, 207, "array is mapped")                                                 \
  Each(ErrorAlreadyMapped, ErrorAlreadyMapped, 208, "resource already mapped")                                         \
  Each(ErrorNoBinaryForGpu, ErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the "     \
       "device")                                                                                                       \
  Each(ErrorAlreadyAcquired, ErrorAlreadyAcquired, 210, "resource already acquired")                                   \
  Each(ErrorNotMapped, ErrorNotMapped, 211, "resource not mapped")                                                     \
  Each(ErrorNotMappedAsArray, ErrorNotMappedAsArray, 212, "resource not mapped as array")                              \
  Each(ErrorNotMappedAsPointer, ErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                        \
  Each(ErrorECCNotCorrectable, ErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                      \
  Each(ErrorUnsupportedLimit, ErrorUnsupportedLimit, 215, "limit is not supported on this architecture")               \
  Each(ErrorContextAlreadyInUse, ErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a "          \
       "different thread")                                                                                             \
  Each(ErrorPeerAccessUnsupported, ErrorPeerAccessUnsupported, 217, "peer access is not supported between these two "  \
       "devices")                                                                                                      \
  Each(ErrorInvalidKernelFile, ErrorInvalidPtx, 218, "invalid kernel file")                                            \
  Each(ErrorInvalidGraphicsContext, ErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")             \
  Each(ErrorInvalidSource, ErrorInvalidSource, 300, "device kernel image is invalid")                                  \
  Each(ErrorFileNotFound, ErrorFileNotFound, 301, "file not found")                                                    \
  Each(ErrorSharedObjectSymbolNotFound, ErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")        \
  Each(ErrorSharedObjectInitFailed, ErrorSharedObjectInitFailed, 303, "shared object initialization failed")           \
  Each(ErrorOperatingSystem, ErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")        \
  Each(ErrorInvalidHandle, ErrorInvalidResourceHandle, 400, "invalid resource handle")                                 \
  Each(ErrorIllegalState, ErrorIllegalState, 401, "the operation cannot be performed in the present state")            \
  Each(ErrorNotFound, ErrorSymbolNotFound, 500, "named symbol not found")                                              \
  Each(ErrorNotReady, ErrorNotReady, 600, "device not ready")                                                          \
  Each(ErrorIllegalAddress, ErrorIllegalAddress, 700, "an illegal memory access was encountered")                      \
  Each(ErrorLaunchOutOfResources, ErrorLaunchOutOfResources, 701, "too many resources requested for launch")           \
  Each(ErrorLaunchTimeOut, ErrorLaunchTimeout, 702, "the launch timed out and was terminated")                         \
  Each(ErrorPeerAccessAlreadyEnabled, ErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")            \
  Each(ErrorPeerAccessNotEnabled, ErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                  \
  Each(ErrorSetOnActiveProcess, ErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")     \
  Each(ErrorContextIsDestroyed, ErrorContextIsDestroyed, 709, "context is destroyed")                                  \
  Each(ErrorAssert, ErrorAssert, 710, "device-side assert triggered")                                                  \
  Each(ErrorHostMemoryAlreadyRegistered, ErrorHostMemoryAlreadyRegistered, 712, "part or all of the requested "        \
       "memory range is already mapped")                                                                               \
  Each(ErrorHostMemoryNotRegistered, ErrorHostMemoryNotRegistered, 713, "pointer does not correspond to a "            \
       "registered memory region")                                                                                     \
  Each(ErrorLaunchFailure, ErrorLaunchFailure, 719, "unspecified launch failure")                                      \
  Each(ErrorCooperativeLaunchTooLarge, ErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")   \
  Each(ErrorNotSupported, ErrorNotSupported, 801, "operation not supported")                                           \
  Each(ErrorStreamCaptureUnsupported, ErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is "    \
       "capturing")                                                                                                    \
  Each(ErrorStreamCaptureInvalidated, ErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error "  \
       "during capture")                                                                                               \
  Each(ErrorStreamCaptureMerge, ErrorStreamCaptureMerge, 902, "operation would result in a merge of separate "         \
       "capture sequences")                                                                                            \
  Each(ErrorStreamCaptureUnmatched, ErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as "   \
       "it began")                                                                                                     \
  Each(ErrorStreamCaptureUnjoined, ErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")              \
  Each(ErrorStreamCaptureIsolation, ErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in "      \
       "another stream")                                                                                               \
  Each(ErrorStreamCaptureImplicit, ErrorStreamCaptureImplicit, 906, "operation would make the legacy stream depend "   \
       "on a capturing blocking stream")                                                                               \
  Each(ErrorCapturedEvent, ErrorCapturedEvent, 907, "operation not permitted on an event last recorded in a "          \
       "capturing stream")                                                                                             \
  Each(ErrorStreamCaptureWrongThread, ErrorStreamCaptureWrongThread, 908, "attempt to terminate a thread-local "       \
       "capture sequence from another thread")                                                                         \
  Each(ErrorGraphExecUpdateFailure, ErrorGraphExecUpdateFailure, 910, "the graph update was not performed because "    \
       "it included changes which violated constraints")                                                               \
  Each(ErrorUnknown, ErrorUnknown, 999, "unknown error")

// Those that CUDA has besides.
#define SINTER_CUDA_ERRORS(Each)                                                                                       \
  Each(ErrorInvalidHostPointer, 16, "invalid host pointer")                                                            \
  Each(ErrorInvalidTexture, 18, "invalid texture reference")                                                           \
  Each(ErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                                            \
  Each(ErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                                                \
  Each(ErrorAddressOfConstant, 22, "invalid address of constant")                                                      \
  Each(ErrorTextureFetchFailed, 23, "fetch from texture failed")                                                       \
  Each(ErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                                      \
  Each(ErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                                              \
  Each(ErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")                             \
  Each(ErrorInvalidNormSetting, 27, "read as normalized float not supported for 32-bit non float type")                \
  Each(ErrorMixedDeviceExecution, 28, "device emulation mode and device execution mode cannot be mixed")               \
  Each(ErrorNotYetImplemented, 31, "feature not yet implemented")                                                      \
  Each(ErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")                        \
  Each(ErrorStubLibrary, 34, "CUDA driver is a stub library")                                                          \
  Each(ErrorCallRequiresNewerDriver, 36, "API call is not supported in the installed CUDA driver")                     \
  Each(ErrorInvalidSurface, 37, "invalid surface reference")                                                           \
  Each(ErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")                           \
  Each(ErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                                    \
  Each(ErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                                    \
  Each(ErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")                               \
  Each(ErrorIncompatibleDriverContext, 49, "incompatible driver context")                                              \
  Each(ErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")                        \
  Each(ErrorLaunchFileScopedTex, 66, "launch failed because kernel uses unsupported, file-scoped textures (texture "   \
       "objects are supported)")                                                                                       \
  Each(ErrorLaunchFileScopedSurf, 67, "launch failed because kernel uses unsupported, file-scoped surfaces (surface "  \
       "objects are supported)")                                                                                       \
  Each(ErrorSyncDepthExceeded, 68, "cudaDeviceSynchronize failed because caller's grid depth exceeds "                 \
       "cudaLimitDevRuntimeSyncDepth")                                                                                 \
  Each(ErrorLaunchPendingCountExceeded, 69, "launch failed because launch would exceed "                               \
       "cudaLimitDevRuntimePendingLaunchCount")                                                                        \
  Each(ErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                                          \
  Each(ErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                                            \
  Each(ErrorStartupFailure, 127, "startup failure in cuda runtime")                                                    \
  Each(ErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")                      \
  Each(ErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                                            \
  Each(ErrorUnsupportedPtxVersion, 222, "the provided PTX was compiled with an unsupported toolchain.")                \
  Each(ErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                                           \
  Each(ErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")                          \
  Each(ErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")                               \
  Each(ErrorTooManyPeers, 711, "peer mapping resources exhausted")                                                     \
  Each(ErrorHardwareStackError, 714, "hardware stack error")                                                           \
  Each(ErrorIllegalInstruction, 715, "an illegal instruction was encountered")                                         \
  Each(ErrorMisalignedAddress, 716, "misaligned address")                                                              \
  Each(ErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")                        \
  Each(ErrorInvalidPc, 718, "invalid program counter")                                                                 \
  Each(ErrorNotPermitted, 800, "operation not permitted")                                                              \
  Each(ErrorSystemNotReady, 802, "system not yet initialized")                                                         \
  Each(ErrorSystemDriverMismatch, 803, "system has unsupported display driver / cuda driver combination")              \
  Each(ErrorCompatNotSupportedOnDevice, 804, "forward compatibility was attempted on non supported HW")                \
  Each(ErrorTimeout, 909, "wait operation timed out")                                                                  \
  Each(ErrorApiFailureBase, 10000, "api failure base")

#define SINTER_HIP_ENUMERATOR(name, cuda_name, number, text) hip##name = number,
#define SINTER_CUDA_ENUMERATOR(name, number, text) cuda##name = number,
enum hipError_t { SINTER_HIP_ERRORS(SINTER_HIP_ENUMERATOR) SINTER_CUDA_ERRORS(SINTER_CUDA_ENUMERATOR) };
typedef enum hipError_t hipError_t;
#undef SINTER_CUDA_ENUMERATOR
#undef SINTER_HIP_ENUMERATOR
#define hipErrorMemoryAllocation hipErrorOutOfMemory
#define hipErrorInitializationError hipErrorNotInitialized
#define hipErrorInvalidResourceHandle hipErrorInvalidHandle

#endif
