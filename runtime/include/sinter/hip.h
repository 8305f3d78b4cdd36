/* The part of the C interface that programs in HIP and CUDA use. They do not call it by these
 * names: <hip/hip_runtime.h> and <cuda_runtime.h> declare hipMalloc, cudaMalloc and the like, with
 * these functions behind them.
 *
 * Functions return a number of hipError_t, which is the same in CUDA, and keep it as the last error
 * of the thread; sinter_last_error() then has a sentence. Streams and events are handles: 0 and 1
 * are the null stream of the thread's device, 2 is the stream that the thread has for itself. */
#ifndef SINTER_HIP_H
#define SINTER_HIP_H

#include "sinter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Value of sinter_hip_kernel.mark. */
#define SINTER_HIP_KERNEL_MARK 0x5049485f5245544eull

/* A parameter in the argument block. */
typedef struct sinter_hip_parameter {
  uint32_t offset;
  uint32_t size;
} sinter_hip_parameter;

/* What the address of a kernel points to in host code; stage 1 writes it. */
typedef struct sinter_hip_kernel {
  const void *stub; /* the function of the host that launches the kernel */
  uint64_t mark;
  const sinter_kernel *kernel;
  const sinter_hip_parameter *parameters;
  uint32_t parameter_count;
  uint32_t largest_block; /* of __launch_bounds__, or 0 */
} sinter_hip_kernel;

/* dim3 */
typedef struct sinter_hip_dimensions {
  uint32_t x, y, z;
} sinter_hip_dimensions;

SINTER_API int32_t sinter_hip_set_device(int32_t device);
SINTER_API int32_t sinter_hip_get_device(int32_t *device);
/* hipErrorNoDevice, and a count of 0, if there is none. */
SINTER_API int32_t sinter_hip_get_device_count(int32_t *count);
/* Waits for all streams of the thread's device. */
SINTER_API int32_t sinter_hip_device_synchronize(void);
/* Returns the last error and forgets it. */
SINTER_API int32_t sinter_hip_get_last_error(void);
SINTER_API int32_t sinter_hip_peek_at_last_error(void);
/* The sentence with the cause of the thread's last failure; valid until the next one. */
SINTER_API const char *sinter_hip_last_message(void);
/* Waits for all streams of the thread's device, gives its variables their initial values, and
 * forgets its last error and its fault: after a fault every function that uses the device returns
 * the same error. */
SINTER_API int32_t sinter_hip_device_reset(void);
/* Keeps an error as the last one, and returns it. */
SINTER_API int32_t sinter_hip_fail(int32_t error);

/* Configurations of launches, which nest. */
SINTER_API int32_t sinter_hip_push_call_configuration(sinter_hip_dimensions grid, sinter_hip_dimensions block,
                                                      size_t local_memory, void *stream);
SINTER_API int32_t sinter_hip_pop_call_configuration(sinter_hip_dimensions *grid, sinter_hip_dimensions *block,
                                                     size_t *local_memory, void **stream);
/* `function` is the address of a kernel, `arguments` has the address of each argument. */
SINTER_API int32_t sinter_hip_launch_kernel(const void *function, sinter_hip_dimensions grid,
                                            sinter_hip_dimensions block, const void *const *arguments,
                                            size_t local_memory, void *stream);
/* The same; the null stream is that of the thread. */
SINTER_API int32_t sinter_hip_launch_kernel_of_thread(const void *function, sinter_hip_dimensions grid,
                                                      sinter_hip_dimensions block, const void *const *arguments,
                                                      size_t local_memory, void *stream);
/* hipErrorInvalidDeviceFunction unless `function` is the address of a kernel. */
SINTER_API int32_t sinter_hip_is_kernel(const void *function);
/* Resources of a kernel's code on the thread's device, for blocks of ordinary size. */
SINTER_API int32_t sinter_hip_kernel_usage(const void *function, sinter_kernel_usage *usage);

/* `flags` is 1 for a stream that the null stream does not wait for, else 0. */
SINTER_API int32_t sinter_hip_stream_create(void **stream, uint32_t flags, int32_t priority);
/* Waits for the stream's commands. */
SINTER_API int32_t sinter_hip_stream_destroy(void *stream);
SINTER_API int32_t sinter_hip_stream_synchronize(void *stream);
/* hipErrorNotReady while commands run. */
SINTER_API int32_t sinter_hip_stream_query(void *stream);
SINTER_API int32_t sinter_hip_stream_wait_event(void *stream, void *event, uint32_t flags);
/* Null pointers are skipped. */
SINTER_API int32_t sinter_hip_stream_properties(void *stream, uint32_t *flags, int32_t *priority, int32_t *device);
/* As sinter_queue_host_task. */
SINTER_API int32_t sinter_hip_launch_host_function(void *stream, void (*function)(void *data),
                                                   void (*release)(void *data), void *data);

/* Flag 2: without times. */
SINTER_API int32_t sinter_hip_event_create(void **event, uint32_t flags);
SINTER_API int32_t sinter_hip_event_destroy(void *event);
SINTER_API int32_t sinter_hip_event_record(void *event, void *stream);
SINTER_API int32_t sinter_hip_event_synchronize(void *event);
SINTER_API int32_t sinter_hip_event_query(void *event);
SINTER_API int32_t sinter_hip_event_elapsed_time(float *milliseconds, void *start, void *end);

/* `kind` is a sinter_memory_kind. */
SINTER_API int32_t sinter_hip_allocate(void **memory, size_t size, int32_t kind);
/* Waits for all commands first. Ignores null. */
SINTER_API int32_t sinter_hip_free(void *memory);
/* The same for commands of one stream: later ones may use the memory, and earlier ones may still use
 * what is freed. Neither waits, but for memory that is not device memory of the stream's device. */
SINTER_API int32_t sinter_hip_allocate_in_order(void **memory, size_t size, void *stream);
SINTER_API int32_t sinter_hip_free_in_order(void *memory, void *stream);
/* Pins memory of the program for the thread's device. Flags are those of hipHostRegister: 8 for
 * memory that is only read. hipErrorHostMemoryAlreadyRegistered if a part of it is pinned,
 * hipErrorNotSupported if the device cannot. */
SINTER_API int32_t sinter_hip_host_register(void *memory, size_t size, uint32_t flags);
/* Waits for all commands first. `memory` is the start of the registered memory. */
SINTER_API int32_t sinter_hip_host_unregister(void *memory);
/* Where kernels on the thread's device find an address of pinned or registered memory. `flags` is 0. */
SINTER_API int32_t sinter_hip_host_address(void **address, void *memory, uint32_t flags);
/* For memory that no device knows the command is complete when the call returns; with `waits` not 0
 * also for other memory, unless all of it is device memory of one device. */
SINTER_API int32_t sinter_hip_copy(void *destination, const void *source, size_t size, void *stream, int32_t waits);
SINTER_API int32_t sinter_hip_copy_rows(void *destination, size_t destination_pitch, const void *source,
                                        size_t source_pitch, size_t width, size_t height, void *stream, int32_t waits);
SINTER_API int32_t sinter_hip_fill(void *destination, const void *pattern, size_t pattern_size, size_t count,
                                   void *stream, int32_t waits);
/* Where the thread's device has the variable at an address of the host, and its size from there.
 * Kernels no longer get __constant__ variables by value once `address` was asked for. */
SINTER_API int32_t sinter_hip_symbol_address(const void *symbol, void **address, size_t *size);
/* Copies to and from the bytes at an offset of such a variable, as sinter_hip_copy does. */
SINTER_API int32_t sinter_hip_copy_to_symbol(const void *symbol, size_t offset, const void *source, size_t size,
                                             void *stream, int32_t waits);
SINTER_API int32_t sinter_hip_copy_from_symbol(void *destination, const void *symbol, size_t offset, size_t size,
                                               void *stream, int32_t waits);
/* Flag in the alignment of the layout of a __constant__ variable. */
#define SINTER_HIP_CONSTANT (1ull << 62)
/* Flag in the alignment of the layout of a __managed__ variable, whose object has the address of
 * its slot behind that of its layout. */
#define SINTER_HIP_MANAGED (1ull << 63)
/* Where host code finds the value of a __managed__ variable whose slot is null. `value` is the
 * address of the value in the program. Sets the slot and never fails: where no device can share the
 * value, it stays in the program. */
SINTER_API void *sinter_hip_managed(void **slot, void *value);

#ifdef __cplusplus
}
#endif
#endif
