/* When kernels are compiled: modes of queues, functions that are told of compilations, and regions
 * without any. The conventions are those of sinter.h, which has sinter_wait_for_jit.
 */
#ifndef SINTER_JIT_H
#define SINTER_JIT_H

#include "sinter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Treatment of a launch whose code is in no cache. */
typedef enum sinter_jit_mode {
  SINTER_JIT_DEFAULT = 0,  /* that of SINTER_JIT_MODE */
  SINTER_JIT_SYNC = 1,     /* it waits for the optimised code */
  SINTER_JIT_FALLBACK = 2, /* on the host CPU it runs quick code until there is optimised code */
  SINTER_JIT_REQUIRE = 3   /* it is SINTER_ERROR_TRANSLATION: nothing is compiled */
} sinter_jit_mode;

/* Sets the mode of later launches of the queue. A launch on a queue with SINTER_JIT_SYNC waits for
 * optimised code also where a launch of another queue has loaded quick code. */
SINTER_API sinter_status sinter_queue_set_jit_mode(sinter_queue *queue, sinter_jit_mode mode);

/* Use of the code of a kernel. */
typedef enum sinter_reason {
  SINTER_REASON_LAUNCH = 0,  /* a launch waits for it */
  SINTER_REASON_UPGRADE = 1, /* it replaces quick code */
  SINTER_REASON_VALUES = 2,  /* it is for values that launches repeat (SINTER_JIT_SPECIALIZE) */
  SINTER_REASON_AHEAD = 3    /* a launch may need it (SINTER_JIT_AHEAD) */
} sinter_reason;

/* Origin of the code of a kernel. */
typedef enum sinter_source {
  SINTER_SOURCE_FAILED = 0,     /* there is no code */
  SINTER_SOURCE_TRANSLATED = 1, /* translated just now */
  SINTER_SOURCE_DISK = 2,       /* from the disk cache */
  SINTER_SOURCE_SYSTEM = 3,     /* from a read-only cache (SINTER_CACHE_DIRS) */
  SINTER_SOURCE_MEMORY = 4,     /* in this process already */
  SINTER_SOURCE_UNDER_WAY = 5   /* being made; only sinter_region_end tells of such */
} sinter_source;

/* Optimisation of the code of a kernel. */
typedef enum sinter_level {
  SINTER_LEVEL_UNOPTIMISED = 0,
  SINTER_LEVEL_QUICK = 1, /* SINTER_JIT_FALLBACK */
  SINTER_LEVEL_FULL = 2,
  SINTER_LEVEL_NONE = 3 /* there is no code */
} sinter_level;

/* An attempt to make code of a kernel ready for launches of one kind. */
typedef struct sinter_compilation {
  uint32_t struct_size; /* of the runtime: later versions may append fields */
  uint32_t device;      /* its number */
  uint32_t reason;      /* a sinter_reason */
  uint32_t source;      /* a sinter_source */
  uint32_t level;       /* a sinter_level */
  uint32_t reserved;
  const char *kernel; /* readable name, for example "triad(float*, int)" */
  const char *symbol;
  const char *device_name;
  const char *variant;  /* launches that the code is for, as in the report */
  const char *failure;  /* message of the error; null if there is none */
  uint64_t nanoseconds; /* of the attempt, with waits for other threads and processes */
  uint64_t translate_nanoseconds;
  uint64_t assemble_nanoseconds; /* in the driver's assembler */
  uint64_t load_nanoseconds;
} sinter_compilation;

/* A function that is told of compilations. */
typedef struct sinter_observer sinter_observer;

/* From now on `function` is called after each attempt to make code ready: for a first launch, in
 * the background, or for values. An error that later launches repeat is told of once; a launch that
 * SINTER_JIT_REQUIRE refuses is no attempt.
 *  - Called on the thread that made the code, which is a thread of the program or of the runtime,
 *    and on several threads at once. The compilation and its strings are valid during the call.
 *  - No lock is held, but the launch or the wait that needed the code returns only afterwards.
 *  - It must not let an exception escape, and not launch kernels or wait for a thread that does: a
 *    launch that needs code is SINTER_ERROR_INVALID_ARGUMENT there. It may call other functions.
 *  - A child made by fork is told of nothing until it creates an observer. */
SINTER_API sinter_status sinter_observer_create(void (*function)(const sinter_compilation *compilation, void *data),
                                                void *data, sinter_observer **observer);
/* Waits for calls of the function in other threads; none begins afterwards, and `data` may go. In a
 * call of such a function it is SINTER_ERROR_INVALID_ARGUMENT, and the observer stays. Ignores
 * null. */
SINTER_API sinter_status sinter_observer_destroy(sinter_observer *observer);

/* A part of a program in which nothing should be compiled, as the timed part of a benchmark. */
typedef struct sinter_region sinter_region;

/* Regions may overlap, and may begin and end on different threads. */
SINTER_API sinter_status sinter_region_begin(sinter_region **region);
/* Ends the region, whatever is returned. SINTER_ERROR_COMPILED if code of a kernel was translated,
 * assembled or loaded from a cache since it began, by any thread, or is being made; the message
 * names the kernels, and `function` (may be null) is called with each of them before the return. To
 * prevent it, launch each kernel before the region, and call sinter_wait_for_jit there. */
SINTER_API sinter_status sinter_region_end(sinter_region *region,
                                           void (*function)(const sinter_compilation *compilation, void *data),
                                           void *data);

#ifdef __cplusplus
}
#endif
#endif
