/* The part of the C interface that the parallel algorithms of ISO C++ use (`sinter-cc --stdpar`).
 * Programs call sinter_stdpar_set_device, sinter_stdpar_counts and sinter_stdpar_wait_count, if any;
 * the rest is for the headers of the algorithms and for libsinter_stdpar.so.
 *
 * Each thread has a queue on its device. What that device cannot run goes to the CPU of the host,
 * whose kernels may use all memory of the program. */
#ifndef SINTER_STDPAR_H
#define SINTER_STDPAR_H

#include "sinter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a launch needs: bits of `needs`. */
#define SINTER_STDPAR_WAIT 1u     /* it and the launches before are complete at the end */
#define SINTER_STDPAR_PROGRESS 2u /* work-items may wait for each other, as for a lock */
#define SINTER_STDPAR_SHAPED 4u   /* it suits the device of the thread, and not the CPU of the host */
#define SINTER_STDPAR_ON_CPU 8u   /* it suits the CPU of the host, and runs there to its end */
#define SINTER_STDPAR_SETTLED 16u /* sinter_stdpar_settle follows; a CPU may wait at once instead */

/* Launches a kernel as sinter_queue_launch does. Kernels of a thread run in their order, and are
 * complete after an error. With SINTER_ERROR_TRANSLATION, SINTER_ERROR_TRANSLATOR and
 * SINTER_ERROR_NO_DEVICE the kernel has not started. Otherwise `*has_started` is 0 if it was refused:
 * it suits the device of the thread alone, and would have to run on the CPU of the host instead. The
 * caller then makes launches that suit the CPU. It is 1 after all other launches. */
SINTER_API sinter_status sinter_stdpar_launch(const sinter_kernel *kernel, const void *block, size_t block_size,
                                              const sinter_launch *launch, uint32_t needs, int32_t *has_started);
/* Waits for the kernels that the calling thread has launched without SINTER_STDPAR_WAIT. */
SINTER_API sinter_status sinter_stdpar_settle(void);
/* The number of work-items that share a part of a range on the device of the calling thread: a power
 * of two, 1 on a CPU. */
SINTER_API uint32_t sinter_stdpar_group_size(void);
/* 1 if the device of the calling thread is a CPU, else 0. */
SINTER_API int32_t sinter_stdpar_is_cpu(void);
/* 1 if kernels of that device can require sub-groups of `size` work-items, else 0. */
SINTER_API int32_t sinter_stdpar_has_sub_groups(uint32_t size);
/* Memory for intermediate results that all kernels of the thread use. `is_result`: 1 if the program
 * reads it, and kernels seldom do. */
SINTER_API sinter_status sinter_stdpar_scratch(size_t size, int32_t is_result, void **memory);
/* Takes it back for later calls. Waits for started kernels. */
SINTER_API sinter_status sinter_stdpar_scratch_release(void *memory);
/* Chooses the device of the calling thread's algorithms by its number; -1 stands for the one that
 * SINTER_STDPAR_DEVICE names, or the first that shares memory with the program.
 * SINTER_ERROR_UNSUPPORTED if the device does not. Memory for allocations is that of the usual
 * device, so that on another one, algorithms run on the CPU unless it reaches all memory. */
SINTER_API sinter_status sinter_stdpar_set_device(int32_t device);
/* The number of kernels that ran on the chosen devices of all threads, and of those that ran on the
 * CPU instead. Either pointer may be null. */
SINTER_API sinter_status sinter_stdpar_counts(uint64_t *chosen, uint64_t *instead);

/* The number of times that threads have waited for kernels of algorithms. */
SINTER_API uint64_t sinter_stdpar_wait_count(void);

/* Memory that the usual device shares with the program, of which the first and the last byte are
 * not used; null if the device reaches all memory. `alignment` is 0 or a power of two. */
SINTER_API sinter_status sinter_stdpar_memory(size_t size, size_t alignment, void **memory);
SINTER_API sinter_status sinter_stdpar_release(void *memory);
/* Notes a block in such memory that the program gets. The first launch with a pointer into it moves
 * all of it to the device; without the note, pages follow when kernels touch them. */
SINTER_API void sinter_stdpar_note_block(const void *memory, size_t size);
/* Says how the block around an address in such memory is found: `find` stores its start and returns
 * its size, or 0 if there is none. Without it, no kernel follows pointers that lie in memory. */
SINTER_API void sinter_stdpar_set_finder(size_t (*find)(const void *address, const void **start));

/* Functions of libsinter_stdpar.so, which is missing in programs that are linked without it. */
/* A block of `count` times `size` bytes in such memory, for `free`; null if the program has to
 * allocate as its source says. `flags`: 1 for zeroed memory, 2 for operator new. */
void *sinter_stdpar_allocate(size_t count, size_t size, size_t alignment, uint32_t flags);
/* Says that main has begun; before, no blocks are handed out. */
void sinter_stdpar_begin(void);
/* 1 for such a block, which `__libc_free` and `__libc_realloc` do not take, else 0. */
int32_t sinter_stdpar_owns(const void *block);

/* Says at level info, once for each text, why an algorithm runs without a device. */
SINTER_API void sinter_stdpar_report(const char *reason);
/* Prints a line about an algorithm after which the program cannot go on. */
SINTER_API void sinter_stdpar_fail(const char *reason);

#ifdef __cplusplus
}
#endif
#endif
