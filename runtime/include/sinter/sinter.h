/* The C interface of the Sinter runtime.
 *
 * Conventions
 *  - Functions that can fail return a sinter_status; sinter_last_error() then returns a message
 *    that names file, kernel, symbol and remedy where they apply. The string is owned by the
 *    calling thread and valid until that thread's next failing call.
 *  - No function aborts, exits or lets an exception or panic escape. (A kernel that throws, aborts
 *    or fails an assertion on the CPU prints its name and ends the process, as an illegal access
 *    does, which is the program's own signal. On a GPU each is an asynchronous error: a wait
 *    returns it, and the device is lost to the process.)
 *  - Structs that may grow start with their size in bytes; set it to sizeof. The runtime never
 *    reads past it.
 *  - Sizes are in bytes unless a comment says otherwise. Index 0 of a size is x, the fastest
 *    dimension.
 *  - All functions may be called from any thread. A queue may be shared by threads.
 */
#ifndef SINTER_SINTER_H
#define SINTER_SINTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SINTER_API __attribute__((visibility("default")))
#else
#define SINTER_API
#endif

/* Version of this interface. A runtime accepts programs compiled against the same number. */
#define SINTER_ABI_VERSION 1u

typedef int32_t sinter_status;
enum {
  SINTER_SUCCESS = 0,
  SINTER_ERROR_INVALID_ARGUMENT = 1, /* caller's error: null, number, size or version */
  SINTER_ERROR_NO_DEVICE = 2,        /* no device with that number */
  SINTER_ERROR_OUT_OF_MEMORY = 3,    /* memory, or more local memory than a work-group can have */
  SINTER_ERROR_KERNEL = 4,           /* damaged container, wrong argument block */
  SINTER_ERROR_TRANSLATION = 5,      /* the kernel could not be compiled for the device */
  SINTER_ERROR_TRANSLATOR = 6,       /* libsinter_translate.so is missing or of another version */
  SINTER_ERROR_LAUNCH = 7,           /* the device refused the launch, for example a group size */
  SINTER_ERROR_DRIVER = 8,           /* any other failure of a device or its driver */
  SINTER_ERROR_UNSUPPORTED = 9,      /* the device lacks a feature */
  SINTER_ERROR_INTERNAL = 10,        /* a defect of Sinter */
  SINTER_ERROR_COMPILED = 11         /* a region that allows no compilation had one */
};

SINTER_API uint32_t sinter_abi_version(void);
/* "MAJOR.MINOR.PATCH", static. */
SINTER_API const char *sinter_version(void);
/* Message of the last failure on this thread; "" if there was none. Never null. */
SINTER_API const char *sinter_last_error(void);
/* Name of a status, static, for example "SINTER_ERROR_KERNEL". Never null. */
SINTER_API const char *sinter_status_name(sinter_status status);

/* ---- Records that stage 1 emits. Programs do not write these by hand. ------------------------ */

/* Set in sinter_image.flags: the image has debug information with source lines. */
#define SINTER_IMAGE_HAS_DEBUG 1u

/* An image in a container. The seals are checksums, which the runtime checks before it follows a
 * size. */
typedef struct sinter_image {
  uint64_t offset; /* in the container's data */
  uint64_t size;
  uint8_t digest[32];    /* BLAKE3 of the image */
  const char *names;     /* exported, then imported symbols, each zero-terminated; null: none */
  uint32_t exports_size; /* bytes */
  uint32_t imports_size; /* bytes */
  uint32_t flags;        /* SINTER_IMAGE_HAS_DEBUG, or 0 */
  uint32_t reserved;     /* zero */
  uint64_t names_seal;   /* of the names */
  uint64_t seal;         /* of this record */
} sinter_image;

/* A container (HCF text and appendix) in the program's memory, and a table of its images. */
typedef struct sinter_container {
  uint32_t struct_size;
  uint32_t abi_version;
  const void *data;
  uint64_t size;
  uint8_t object_id[32]; /* content hash of the container's images */
  const sinter_image *images;
  uint32_t image_count;
  uint32_t reserved; /* zero */
  uint64_t seal;     /* of this record */
} sinter_container;

/* Set in sinter_parameter.kind: the launch reads this leaf from the block, and the kernel is
 * compiled for its value. */
#define SINTER_PARAMETER_SPECIALIZED 0x100u

/* One leaf, a scalar or pointer, of a kernel's argument block. */
typedef struct sinter_parameter {
  uint32_t byte_offset; /* in the block */
  uint32_t byte_size;
  uint32_t original_index; /* field of the closure it belongs to */
  uint32_t kind;           /* 0 pointer, 1 integer, 2 floating-point, 3 other-by-value;
                              and the flag above */
} sinter_parameter;

/* A kernel: its container and its symbol there, never a symbol alone. */
typedef struct sinter_kernel {
  uint32_t struct_size;
  uint32_t parameter_count;
  const sinter_container *container;
  const char *symbol;
  const sinter_parameter *parameters;
  uint64_t block_size;  /* size of the argument block that a launch must pass */
  uint8_t ir_hash[32];  /* digest of the kernel's own IR closure */
  void *slot;           /* for the runtime; initially null */
  uint32_t required_group_size[3];  /* work-items, x first; all 0: any */
  uint32_t required_sub_group_size; /* work-items; 0: any */
  uint32_t image;         /* index in the container's images */
  uint32_t symbol_size;   /* bytes, without the terminating zero */
  uint64_t content_seal;  /* of the symbol and the parameters */
  uint64_t seal;          /* of this record up to here, without its pointers */
  uint64_t required_aspects; /* a bit for each, as in SINTER_DEVICE_ASPECTS; only if struct_size covers it */
  uint64_t aspects_seal;     /* of the field before and the seal */
} sinter_kernel;

/* Called by constructors and destructors that stage 1 emits. Store a pointer, nothing else. */
SINTER_API void sinter_register_container(const sinter_container *container);
SINTER_API void sinter_unregister_container(const sinter_container *container);

/* Layout of the object of a device global. */
typedef struct sinter_device_global_layout {
  uint64_t size;      /* bytes */
  uint64_t alignment; /* bytes, a power of two */
} sinter_device_global_layout;

/* A device global: a variable that every device has for itself. */
typedef struct sinter_device_global {
  const char *name;   /* in device code */
  const void *object; /* of the program, with the initial value; starts with the address of its
                         sinter_device_global_layout */
} sinter_device_global;

/* The device globals of a translation unit: those that it defines, and those that its device code
 * uses. */
typedef struct sinter_device_globals {
  uint32_t struct_size;
  uint32_t count;
  const sinter_container *container; /* null without device code */
  const sinter_device_global *globals;
} sinter_device_globals;

/* As for containers. Kernels that use the variables must be complete before they go. */
SINTER_API void sinter_register_device_globals(const sinter_device_globals *table);
SINTER_API void sinter_unregister_device_globals(const sinter_device_globals *table);
/* Address on a device of the copy of an object; the first use makes it, with the object's bytes. */
SINTER_API sinter_status sinter_device_global_address(uint32_t device, const void *object, void **address);

/* ---- Kernels by name, for programs in languages whose compiler embeds no descriptors. -------- */

/* The kernels of one container, with a descriptor for each. Several threads may use it at
 * once. */
typedef struct sinter_module sinter_module;

/* Loads a container from memory, as `sinter-cc --sinter-emit-hcf` writes it. Copies
 * the bytes. */
SINTER_API sinter_status sinter_module_create(const void *container, size_t size, sinter_module **module);
/* Finds the linked C++ objects that define `kernel`, a symbol. SINTER_ERROR_KERNEL if none does, or
 * several do. */
SINTER_API sinter_status sinter_module_linked(const char *kernel, sinter_module **module);
/* The kernel with this symbol, valid until the module is destroyed. SINTER_ERROR_KERNEL if there is
 * none. Its parameters describe the layout of the argument block. */
SINTER_API sinter_status sinter_module_get_kernel(sinter_module *module, const char *name,
                                                  const sinter_kernel **kernel);
/* Ignores null. No launch of its kernels may be in submission; submitted ones still run. */
SINTER_API sinter_status sinter_module_destroy(sinter_module *module);

/* ---- Devices --------------------------------------------------------------------------------- */

typedef enum sinter_device_info {
  SINTER_DEVICE_NAME = 0,                /* char[], NUL-terminated */
  SINTER_DEVICE_VENDOR = 1,              /* char[] */
  SINTER_DEVICE_DRIVER_NAME = 2,         /* char[]: "host", "cuda", ... */
  SINTER_DEVICE_DRIVER_VERSION = 3,      /* char[] */
  SINTER_DEVICE_TARGET = 4,              /* char[]: target of the code, e.g. "host:znver4" */
  SINTER_DEVICE_TYPE = 5,                /* uint32_t: a sinter_device_type */
  SINTER_DEVICE_MAX_COMPUTE_UNITS = 6,   /* uint32_t */
  SINTER_DEVICE_MAX_WORK_GROUP_SIZE = 7, /* uint64_t, work-items */
  SINTER_DEVICE_MAX_WORK_ITEM_SIZES = 8, /* uint64_t[3], work-items, x first */
  SINTER_DEVICE_GLOBAL_MEM_SIZE = 9,     /* uint64_t */
  SINTER_DEVICE_LOCAL_MEM_SIZE = 10,     /* uint64_t */
  SINTER_DEVICE_MAX_MEM_ALLOC_SIZE = 11, /* uint64_t */
  SINTER_DEVICE_MAX_CLOCK_FREQUENCY = 12,/* uint32_t, MHz; 0 if unknown */
  SINTER_DEVICE_SUB_GROUP_SIZES = 13,    /* uint64_t[], the size of kernels that require none first */
  SINTER_DEVICE_FEATURES = 14,           /* uint64_t: sinter_device_feature bits */
  SINTER_DEVICE_VENDOR_ID = 15,          /* uint32_t; 0 if unknown */
  SINTER_DEVICE_GLOBAL_MEM_CACHE_LINE_SIZE = 16, /* uint32_t */
  SINTER_DEVICE_PARENT = 17,             /* uint32_t: the device that it is a part of; UINT32_MAX: none */
  SINTER_DEVICE_PARTITION = 18,          /* uint32_t: as given to sinter_device_divide; 0 if it is no part */
  SINTER_DEVICE_DEFAULT_SUB_GROUP_SIZE = 19, /* uint64_t: of kernels that require none, or less, in work-items */
  SINTER_DEVICE_NUMA_NODES = 20,         /* uint32_t: nodes with compute units; 0 if unknown, or for a part */
  SINTER_DEVICE_ASPECTS = 21             /* uint64_t: bits of SYCL's aspects, numbered as in sycl/info/aspects.def */
} sinter_device_info;

typedef enum sinter_device_type { SINTER_DEVICE_TYPE_CPU = 0, SINTER_DEVICE_TYPE_GPU = 1, SINTER_DEVICE_TYPE_OTHER = 2 } sinter_device_type;

enum {
  SINTER_FEATURE_FP64 = 1u << 0,
  SINTER_FEATURE_FP16 = 1u << 1,
  SINTER_FEATURE_ATOMIC64 = 1u << 2,
  SINTER_FEATURE_USM_DEVICE = 1u << 3,
  SINTER_FEATURE_USM_HOST = 1u << 4,
  SINTER_FEATURE_USM_SHARED = 1u << 5,
  SINTER_FEATURE_USM_SYSTEM = 1u << 6, /* any host pointer may be used in a kernel */
  SINTER_FEATURE_SUBNORMALS = 1u << 7  /* arithmetic of float keeps subnormal numbers */
};

/* Devices are numbered from 0 in the order that SINTER_VISIBILITY_MASK and the drivers give. */
SINTER_API sinter_status sinter_device_count(uint32_t *count);
/* Writes the value to `value` if `size` is large enough. `required` (may be null) receives the size
 * of the value. With `value` null only the size is written. */
SINTER_API sinter_status sinter_device_get_info(uint32_t device, sinter_device_info what, void *value, size_t size,
                                                size_t *required);

/* The device of `units` compute units of `device`, from number `first` on, which has the memory of
 * `device` and threads of its own. The same arguments give the same device; it exists until the
 * process ends, and sinter_device_count does not count it. `partition` is a number of the caller's.
 * SINTER_ERROR_UNSUPPORTED if the device cannot be divided: only the host CPU can. */
SINTER_API sinter_status sinter_device_divide(uint32_t device, uint32_t first, uint32_t units, uint32_t partition,
                                              uint32_t *part);

/* The device of the compute units of `device` on a NUMA node: `node` is below
 * SINTER_DEVICE_NUMA_NODES. Its threads stay on the CPUs of the node. The rest is as above. */
SINTER_API sinter_status sinter_device_take_node(uint32_t device, uint32_t node, uint32_t partition, uint32_t *part);

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef enum sinter_memory_kind {
  SINTER_MEMORY_UNKNOWN = 0, /* only as a result: not allocated by Sinter */
  SINTER_MEMORY_DEVICE = 1,
  SINTER_MEMORY_HOST = 2,
  SINTER_MEMORY_SHARED = 3
} sinter_memory_kind;

typedef struct sinter_pointer_info {
  uint32_t struct_size;
  uint32_t kind;   /* a sinter_memory_kind */
  uint32_t device; /* only if kind is not unknown */
  uint32_t reserved;
  void *base;      /* start of the allocation */
  uint64_t size;
} sinter_pointer_info;

/* `alignment` is 0 for the default (64) or a power of two. A size of 0 gives a null pointer and
 * success. */
SINTER_API sinter_status sinter_malloc(uint32_t device, sinter_memory_kind kind, size_t size, size_t alignment,
                                       void **pointer);
/* Ignores null. Does not wait: the caller must ensure that no command still uses the memory. */
SINTER_API sinter_status sinter_free(void *pointer);
/* An unknown pointer succeeds with kind SINTER_MEMORY_UNKNOWN. */
SINTER_API sinter_status sinter_pointer_get_info(const void *pointer, sinter_pointer_info *info);

/* ---- Queues ---------------------------------------------------------------------------------- */

/* An in-order queue. Each command gets a ticket, counting up from 1; a queue's first host task skips
 * numbers. A ticket is complete when its command and all earlier ones are. A command of size 0 may share the ticket of the one before it.
 * A child made by fork cannot use the queues of its parent: they refuse commands there with
 * SINTER_ERROR_DRIVER. On the host CPU, queues that the child makes work; another device that the
 * parent has used works in the parent alone, unless the child calls exec. */
typedef struct sinter_queue sinter_queue;

/* The value of an IR constant or of a specialization constant, as its bytes in memory. Padding
 * bytes should be the same each time: the kernel is compiled once for each sequence of bytes. */
typedef struct sinter_constant {
  const char *name; /* exact mangled name; an unknown one is SINTER_ERROR_TRANSLATION */
  const void *value;
  uint64_t size;
} sinter_constant;

typedef struct sinter_launch {
  uint32_t struct_size;
  uint32_t dimensions;      /* 1 to 3 */
  uint64_t global_size[3];  /* work-items; unused dimensions are 1; a 0 launches nothing */
  uint32_t group_size[3];   /* work-items per group; all 0: the runtime chooses */
  uint32_t local_memory;    /* dynamic local memory per group, beside the static one */
  uint32_t constant_count;  /* at most 1024 */
  uint32_t reserved;
  const sinter_constant *constants; /* copied; others have their initial values */
} sinter_launch;

SINTER_API sinter_status sinter_queue_create(uint32_t device, sinter_queue **queue);
/* Waits for the queue's commands, then destroys it. Ignores null. */
SINTER_API sinter_status sinter_queue_destroy(sinter_queue *queue);
/* Records times for the queue's commands from now on. Must precede the first command
 * (SINTER_ERROR_INVALID_ARGUMENT afterwards); a second call has no effect. */
SINTER_API sinter_status sinter_queue_enable_profiling(sinter_queue *queue);
/* Copies `block` before it returns. With group_size given, it must divide global_size and be the
 * one the kernel requires, if it requires one. `ticket` may be null. */
SINTER_API sinter_status sinter_queue_launch(sinter_queue *queue, const sinter_kernel *kernel, const void *block,
                                             size_t block_size, const sinter_launch *launch, uint64_t *ticket);
SINTER_API sinter_status sinter_queue_memcpy(sinter_queue *queue, void *destination, const void *source, size_t size,
                                             uint64_t *ticket);
/* Writes `count` copies of the `pattern_size` bytes at `pattern` (copied before return; at most 128
 * bytes). */
SINTER_API sinter_status sinter_queue_fill(sinter_queue *queue, void *destination, const void *pattern,
                                           size_t pattern_size, size_t count, uint64_t *ticket);
/* Calls `function(data)` on a thread of the runtime when all earlier commands of the queue are
 * complete, also if one of them failed. Later commands start when it has returned; they are accepted
 * meanwhile without blocking. `release(data)` (may be null) is called exactly once: when the ticket
 * is complete, or before an error is returned. Neither may let an exception escape. `function` may
 * call all functions of this interface; a wait for this command or a later one of the same queue is
 * SINTER_ERROR_DRIVER. */
SINTER_API sinter_status sinter_queue_host_task(sinter_queue *queue, void (*function)(void *data),
                                                void (*release)(void *data), void *data, uint64_t *ticket);
/* Later commands of `queue` start only when `ticket` of `other` is complete. If that fails after it
 * waited for the program, so does the next command of `queue`. Unless it is complete already,
 * the dependency takes a ticket of `queue`: sinter_queue_last_ticket then returns that ticket, and
 * waiting for it, or for all, waits for the dependency even if no command, or one of size 0,
 * follows. */
SINTER_API sinter_status sinter_queue_depend(sinter_queue *queue, sinter_queue *other, uint64_t ticket);
/* Ticket of the last command or dependency submitted; 0 if there was none. */
SINTER_API sinter_status sinter_queue_last_ticket(sinter_queue *queue, uint64_t *ticket);
/* Blocks until `ticket` is complete. Asynchronous errors of the queue are returned here, once. On a
 * GPU it may also wait for commands that were submitted later, before the call: they must not depend
 * on what the caller does after the wait. If sinter_queue_query is called for the ticket before
 * later commands are submitted, the wait ends at the ticket. */
SINTER_API sinter_status sinter_queue_wait(sinter_queue *queue, uint64_t ticket);
SINTER_API sinter_status sinter_queue_wait_all(sinter_queue *queue);
/* Returns an asynchronous error of the queue that no wait of the queue has returned, once;
 * SINTER_SUCCESS if there is none. With `waits` not 0 it first waits for the commands that do not
 * wait for the program. */
SINTER_API sinter_status sinter_queue_take_error(sinter_queue *queue, int32_t waits);
/* Sets `complete` to 1 or 0 without blocking. */
SINTER_API sinter_status sinter_queue_query(sinter_queue *queue, uint64_t ticket, int32_t *complete);

/* Times of a command in nanoseconds of one clock (CLOCK_MONOTONIC): submit <= start <= end. */
typedef struct sinter_profile {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t submit; /* when the runtime accepted the command */
  uint64_t start;  /* when it started on the device */
  uint64_t end;
} sinter_profile;

/* Blocks until `ticket` is complete, then returns the times of its command.
 * SINTER_ERROR_INVALID_ARGUMENT if the queue records no times, if there is no such ticket, or if
 * 65536 later tickets have replaced the record. Asynchronous errors are left to
 * sinter_queue_wait. */
SINTER_API sinter_status sinter_queue_profile(sinter_queue *queue, uint64_t ticket, sinter_profile *profile);

/* ---- Buffers --------------------------------------------------------------------------------- */

/* Memory that commands of all devices and the host use by turns. The runtime keeps a copy in each
 * memory that needs one, moves what a command needs before it starts, and lets a command wait for
 * those before it that it conflicts with: one of the two writes bytes that both access. */
typedef struct sinter_buffer sinter_buffer;
/* The host's hold on a part of a buffer. */
typedef struct sinter_host_access sinter_host_access;

enum { SINTER_BUFFER_READ_ONLY = 1u /* the memory at `host` must not be written */ };

typedef struct sinter_buffer_description {
  uint32_t struct_size;
  uint32_t flags;    /* SINTER_BUFFER_READ_ONLY, or 0 */
  uint64_t shape[3]; /* bytes in a row, rows in a plane, planes; in which parts are told apart */
  void *host;        /* memory with the contents, which lives as long as the buffer; null: undefined.
                        Unless read-only, it is the buffer's memory on the host */
} sinter_buffer_description;

/* Bytes of a buffer: rows of `width` bytes that are `row_pitch` bytes apart, in planes that are
 * `plane_pitch` bytes apart. A pitch counts only if there is more than one. */
typedef struct sinter_box {
  uint64_t start; /* offset of the first byte */
  uint64_t width, height, depth;
  uint64_t row_pitch, plane_pitch;
} sinter_box;

/* Bits of an access. A write without a read leaves no byte of the box as it was. */
enum {
  SINTER_ACCESS_READ = 1u,
  SINTER_ACCESS_WRITE = 2u,
  SINTER_ACCESS_HOST = 4u /* in memory of the host, whatever device runs the command */
};

typedef struct sinter_requirement {
  sinter_buffer *buffer;
  uint32_t access; /* SINTER_ACCESS bits */
  uint32_t reserved;
  sinter_box box;
} sinter_requirement;

typedef enum sinter_command_kind {
  SINTER_COMMAND_NOTHING = 0, /* waits for its requirements only */
  SINTER_COMMAND_LAUNCH = 1,
  SINTER_COMMAND_COPY = 2,
  SINTER_COMMAND_FILL = 3,
  SINTER_COMMAND_HOST_TASK = 4, /* as sinter_queue_host_task; its requirements are those of the host */
  SINTER_COMMAND_BARRIER = 5 /* complete when all earlier commands of the queue are, and all later
                              * ones wait for it, also if they overlap; it has no requirements */
} sinter_command_kind;

/* The command may run beside others of its queue, which then has several in-order queues of the
 * device. Without the flag it follows all earlier commands that have it not either. */
enum { SINTER_COMMAND_OVERLAPS = 1u };

typedef struct sinter_command {
  uint32_t struct_size;
  uint32_t kind;              /* a sinter_command_kind */
  uint32_t flags;             /* SINTER_COMMAND_OVERLAPS, or 0 */
  uint32_t requirement_count; /* at most 4096 */
  const sinter_requirement *requirements;
  const sinter_kernel *kernel; /* of a launch */
  const sinter_launch *launch;
  const void *block;           /* argument block of a launch, or pattern of a fill; copied */
  size_t block_size;
  void *destination;           /* first byte that a copy or a fill writes */
  const void *source;          /* first byte that a copy reads */
  uint64_t lengths[3];         /* bytes of a copy, or patterns of a fill, in a row; rows; planes */
  uint64_t destination_pitches[2]; /* bytes between rows, and between planes */
  uint64_t source_pitches[2];
  void (*function)(void *data); /* of a host task */
  /* May be null. Called once for a host task, whatever happens, and once for each call of `retain`:
   * when the ticket is complete, or before an error is returned. */
  void (*release)(void *data);
  void *data;
  /* May be null. Called, before sinter_queue_submit returns, for a command that waits for the
   * program and is no host task: the end of a queue does not wait for such commands, and what they
   * use must live until they are complete. */
  void (*retain)(void *data);
} sinter_command;

SINTER_API sinter_status sinter_buffer_create(const sinter_buffer_description *description, sinter_buffer **buffer);
/* With a `destination` of the buffer's size, waits for all commands that use the buffer and writes
 * its contents there, unless nothing was ever written. With null, waits only if the buffer has
 * memory of the program. Returns asynchronous errors of the commands. Ignores a null buffer. */
SINTER_API sinter_status sinter_buffer_destroy(sinter_buffer *buffer, void *destination);
/* From now on the memory at `host` is not written. Waits for all commands that use the buffer. */
SINTER_API sinter_status sinter_buffer_detach(sinter_buffer *buffer);
/* The address of the buffer for commands of the queue's device that require it, or for the host if
 * `queue` is null. It stays the same until the buffer is destroyed or detached. */
SINTER_API sinter_status sinter_buffer_pointer(sinter_buffer *buffer, sinter_queue *queue, void **address);
/* Brings a box to the host: blocks until the newest bytes are at their places after `address`, and
 * no command uses them in a way that conflicts. Later commands that conflict wait until `held` is
 * released, without blocking their caller. */
SINTER_API sinter_status sinter_buffer_access(sinter_buffer *buffer, uint32_t access, const sinter_box *box,
                                              void **address, sinter_host_access **held);
/* Ignores null. */
SINTER_API sinter_status sinter_buffer_release(sinter_host_access *held);
/* Submits a command after those that its requirements conflict with, and after the transfers that
 * they need. Its tickets may be larger than those of other commands: each of the in-order queues
 * counts for itself. sinter_queue_last_ticket makes the queue wait for all of them. A ticket may be
 * waited for, queried and depended on like any other. */
SINTER_API sinter_status sinter_queue_submit(sinter_queue *queue, const sinter_command *command, uint64_t *ticket);

/* ---- Two-dimensional copies, prefetch, advice, peers ----------------------------------------- */

/* Copies `height` rows of `width` bytes. A pitch is the distance between the starts of two rows, at
 * least `width`. */
SINTER_API sinter_status sinter_queue_memcpy_rows(sinter_queue *queue, void *destination, size_t destination_pitch,
                                                  const void *source, size_t source_pitch, size_t width, size_t height,
                                                  uint64_t *ticket);
/* Moves shared memory to the queue's device before its use, or to the host if `to_host` is not 0.
 * Other memory is not moved, and then the ticket is that of the previous command. */
SINTER_API sinter_status sinter_queue_prefetch(sinter_queue *queue, const void *memory, size_t size, int32_t to_host,
                                               uint64_t *ticket);

typedef enum sinter_advice {
  SINTER_ADVICE_DEFAULT = 0,       /* clears the others */
  SINTER_ADVICE_READ_MOSTLY = 1,   /* read by many, written rarely */
  SINTER_ADVICE_PREFER_DEVICE = 2, /* preferred location: the queue's device */
  SINTER_ADVICE_PREFER_HOST = 3
} sinter_advice;

/* Advises about the use of shared memory (mem-advise). A device may ignore it; for other memory it
 * has no effect. */
SINTER_API sinter_status sinter_queue_advise(sinter_queue *queue, const void *memory, size_t size, sinter_advice advice,
                                             uint64_t *ticket);
/* Enables or disables access of kernels on `device` to memory of `other`. `possible` (may be null)
 * receives 1 if access is enabled now, else 0: after disabling, and if the devices do not support
 * it, which is a success too. A device can always access its own memory. */
SINTER_API sinter_status sinter_device_set_peer_access(uint32_t device, uint32_t other, int32_t enable,
                                                       int32_t *possible);

typedef enum sinter_limit {
  SINTER_LIMIT_STACK = 0, /* bytes of a work-item's stack, for recursion and calls through pointers */
  SINTER_LIMIT_PRINTS = 1 /* bytes of the buffer of printf */
} sinter_limit;

/* Sets memory aside for kernels that are launched from now on. `possible` (may be null) receives 0
 * if the device has no such limit that can be set, else 1. A limit that the device refuses is an
 * error. */
SINTER_API sinter_status sinter_device_set_limit(uint32_t device, sinter_limit limit, size_t value, int32_t *possible);

/* ---- The vendor's own interface -------------------------------------------------------------- */

/* Kinds of native handles, with their types in CUDA, HIP, OpenCL and Level Zero. A kind that the
 * device's vendor lacks is SINTER_ERROR_UNSUPPORTED. */
typedef enum sinter_native {
  SINTER_NATIVE_DEVICE = 0,  /* CUdevice, hipDevice_t (numbers), cl_device_id, ze_device_handle_t */
  SINTER_NATIVE_CONTEXT = 1, /* CUcontext, cl_context, ze_context_handle_t; HIP has none.
                                Initialises the device */
  SINTER_NATIVE_STREAM = 2,  /* CUstream, hipStream_t, cl_command_queue,
                                ze_command_list_handle_t (immediate) */
  SINTER_NATIVE_MODULE = 3,  /* CUmodule, hipModule_t, cl_program, ze_module_handle_t */
  SINTER_NATIVE_FUNCTION = 4, /* CUfunction, hipFunction_t, cl_kernel, ze_kernel_handle_t */
  SINTER_NATIVE_EXISTING_CONTEXT = 5 /* the context; null if not initialised by Sinter or program */
} sinter_native;

/* Sinter owns the handles: a program must not destroy them, nor use them after the object that they
 * belong to. A device has its own handle and its context, a queue these two and its stream. */
SINTER_API sinter_status sinter_device_get_native(uint32_t device, sinter_native what, void **handle);
SINTER_API sinter_status sinter_queue_get_native(sinter_queue *queue, sinter_native what, void **handle);
/* The module or the function of the kernel that this launch would run, which is compiled and loaded
 * if it is not yet. The handle is valid while the kernel's container is registered. Its code is
 * valid for all pointers; the code that the launch itself runs may be specialised for the
 * allocations of its pointers. */
SINTER_API sinter_status sinter_kernel_get_native(sinter_queue *queue, const sinter_kernel *kernel, const void *block,
                                                  size_t block_size, const sinter_launch *launch, sinter_native what,
                                                  void **handle);

/* Resources of a kernel's code. */
typedef struct sinter_kernel_usage {
  uint32_t struct_size;
  uint32_t registers;       /* of a work-item; 0 if unknown */
  uint64_t work_group_size; /* largest work-group with these registers, work-items */
  uint64_t local_memory;    /* of a work-group, in the code itself */
  uint64_t private_memory;  /* of a work-item, besides registers; UINT64_MAX if unknown */
} sinter_kernel_usage;

/* Resources of the code that this launch would run, as for sinter_kernel_get_native. */
SINTER_API sinter_status sinter_kernel_get_usage(sinter_queue *queue, const sinter_kernel *kernel, const void *block,
                                                 size_t block_size, const sinter_launch *launch,
                                                 sinter_kernel_usage *usage);
/* A queue that submits to a stream of the program, in the context of the device's handles. The
 * program owns the stream, which must outlive the queue. Commands that the program submits to it
 * directly have no tickets. CU_STREAM_PER_THREAD is SINTER_ERROR_UNSUPPORTED: it is another stream
 * on each thread. */
SINTER_API sinter_status sinter_queue_create_from_native(uint32_t device, void *stream, sinter_queue **queue);

/* ---- Observation ----------------------------------------------------------------------------- */

/* Counters of this process since it started. */
typedef struct sinter_statistics {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t launches;
  uint64_t translated;     /* kernels compiled in this process */
  uint64_t disk_hits;      /* kernels loaded from the disk cache */
  uint64_t memory_hits;    /* launches of a kernel that was already loaded */
  uint64_t translate_nanoseconds;
  uint64_t load_nanoseconds;
  uint64_t cache_errors;   /* entries quarantined and failed reads or writes */
  uint64_t assemble_nanoseconds; /* time in drivers that assemble machine code */
} sinter_statistics;

SINTER_API sinter_status sinter_get_statistics(sinter_statistics *statistics);

/* Returns when every kernel that was launched so far has the code that it keeps: no thread of the
 * runtime compiles, and none will before a launch needs it. By default kernels of the host CPU
 * begin with quick code, and better code is made in the background; the calling thread helps.
 * Launches that are submitted meanwhile may prolong the wait. A kernel whose better code cannot be
 * made keeps its quick code, which is no error. */
SINTER_API sinter_status sinter_wait_for_jit(void);

#ifdef __cplusplus
}
#endif
#endif
