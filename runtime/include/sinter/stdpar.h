/* The part of the C interface that the parallel algorithms of ISO C++ use (`sinter-cc --stdpar`).
 * Programs do not call it; the headers of the algorithms do.
 *
 * Each thread has one queue, on the CPU of the host, whose kernels may use all memory of the
 * program. */
#ifndef SINTER_STDPAR_H
#define SINTER_STDPAR_H

#include "sinter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a kernel and waits until it is complete, as sinter_queue_launch and sinter_queue_wait do.
 * With SINTER_ERROR_TRANSLATION, SINTER_ERROR_TRANSLATOR and SINTER_ERROR_NO_DEVICE it has not
 * started. */
SINTER_API sinter_status sinter_stdpar_run(const sinter_kernel *kernel, const void *block, size_t block_size,
                                           const sinter_launch *launch);
/* Says at level info, once for each text, why an algorithm runs without a device. */
SINTER_API void sinter_stdpar_report(const char *reason);
/* Prints a line about an algorithm after which the program cannot go on. */
SINTER_API void sinter_stdpar_fail(const char *reason);

#ifdef __cplusplus
}
#endif
#endif
