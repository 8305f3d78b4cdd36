// A stand-in with the functions of Level Zero that we use, over host memory.
//
// It replaces the loader, with functions under their own names, or a driver, with the tables that a
// loader requests (ZE_ENABLE_ALT_DRIVERS). Commands run when they are appended. A violation of the
// specification adds a line "WRONG ..." to the log, whatever the setting "log": use of a destroyed
// object, of another context's object, or of a list by two threads; a command of an unordered list
// without a barrier before it; an event that is signalled twice, or reset while a list may still
// wait for it; a launch without a group size, or with an argument missing or of another size; a
// kernel destroyed while a list may run it. "hold" makes lists and events seem busy, "busy" only
// lists; "slow" delays an append by that many microseconds. With OLD it is a loader and a driver of
// specification 1.4, otherwise of 1.17.
#include "fake.h"
#include <unistd.h>

enum { NOT_READY = 1, OUT_OF_DEVICE_MEMORY = 0x70000003, BUILD_FAILURE = 0x70000004, UNINITIALIZED = 0x78000001,
       UNSUPPORTED_FEATURE = 0x78000003, INVALID_ARGUMENT = 0x78000004, NULL_HANDLE = 0x78000005,
       UNSUPPORTED_ALIGNMENT = 0x7800000a, NULL_POINTER = 0x78000007, INVALID_ENUMERATION = 0x7800000c,
       INVALID_BINARY = 0x7800000f, INVALID_NAME = 0x78000011, INVALID_GROUP = 0x78000013, INVALID_INDEX = 0x78000015,
       INVALID_ARGUMENT_SIZE = 0x78000016 };
enum { HOST = 1, DEVICE = 2, SHARED = 3 };
typedef enum kind { DRIVER, GPU, CONTEXT, LIST, POOL, EVENT, MODULE, KERNEL, BUILD_LOG } kind;
static const char *const kinds[] = {"driver", "device", "context", "list", "pool", "event", "module", "kernel", "log"};

#define MOST_ARGUMENTS 16
#define MAGIC 0x5a45
typedef struct object {
  int magic;
  kind kind;
  int number, alive, inside;
  struct object *parent, *context, *device, *next;
  // Lists: number of commands so far, number known to the host to be complete, and whether a
  // barrier is needed before the next.
  uint64_t appended, complete;
  int in_order, unordered;
  // Events: positions where they are signalled and waited for.
  int signalled;
  struct object *signal_list, *wait_list;
  uint64_t signal_at, wait_at;
  // Pools: indices in use.
  unsigned count, used[64];
  // Modules, and the contents of logs.
  uint32_t *words;
  size_t word_count;
  char name[64];
  // Kernels: arguments, group size, and position of the last launch.
  unsigned arguments, sizes[MOST_ARGUMENTS], local[MOST_ARGUMENTS], given[MOST_ARGUMENTS], group[3];
  uint64_t values[MOST_ARGUMENTS], ran_at;
  struct object *ran_in;
} object;

static object *objects;

static int is_quiet(const char *name) { return 0; }

static void say_always(const char *format, ...) {
  va_list list;
  va_start(list, format);
  note(format, list);
  va_end(list);
}

static result wrong(const char *call, const char *what) {
  say_always("WRONG %s: %s", call, what);
  return end(INVALID_ARGUMENT);
}

static object *make(kind kind, object *parent) {
  object *o = calloc(1, sizeof *o);
  o->magic = MAGIC, o->kind = kind, o->number = ++numbers, o->alive = 1, o->parent = parent, o->next = objects;
  o->context = parent && parent->kind == CONTEXT ? parent : parent ? parent->context : 0;
  return objects = o;
}

// Objects are never freed, so that use after destruction is detected.
static int is_alive(object *o, kind kind) { return o->magic == MAGIC && o->alive && o->kind == kind; }

static int has_children(object *o) {
  for (object *known = objects; known; known = known->next)
    if (known->alive && known->parent == o) return 1;
  return 0;
}

// Reports the objects that a program left when it should have destroyed all.
void fake_check(void) {
  pthread_mutex_lock(&mutex);
  for (object *o = objects; o; o = o->next)
    if (o->alive && o->kind >= CONTEXT) say_always("LEFT %s %d", kinds[o->kind], o->number);
  for (allocation *a = allocations; a; a = a->next) say_always("LEFT memory of %zu bytes", a->size);
  pthread_mutex_unlock(&mutex);
}

#define BEGIN(name, ...) do { result code_ = begin(name, name " " __VA_ARGS__); if (code_) return end(code_); } while (0)
#define CALL __func__
#define NEEDS(o, k) do { if (!(o)) return end(NULL_HANDLE); if (!is_alive(o, k)) return wrong(CALL, "a handle that is not a live " #k); } while (0)
#define POINTER(p) do { if (!(p)) return end(NULL_POINTER); } while (0)
#define TYPE(p, number) do { POINTER(p); if (*(const uint32_t *)(p) != (number)) return wrong(CALL, "a structure of another type"); } while (0)
#define PUT(p, type, offset, value) (*(type *)((char *)(p) + (offset)) = (value))
#define GET(p, type, offset) (*(type *)((char *)(p) + (offset)))

static const void *chained(const void *structure, uint32_t type) {
  for (const void *s = GET(structure, void *, 8); s; s = GET(s, void *, 8))
    if (*(const uint32_t *)s == type) return s;
  return 0;
}

// Enumerates into an array with a count, as the specification describes.
#define LISTED(count, places, total, item)                                                                             \
  do {                                                                                                                 \
    POINTER(count);                                                                                                    \
    if (!*(count) || !(places)) { *(count) = (total); return end(0); }                                                 \
    if (*(count) > (total)) *(count) = (total);                                                                        \
    for (unsigned i = 0; i < *(count); i++) { item; }                                                                  \
    return end(0);                                                                                                     \
  } while (0)

// ---- Drivers and devices.

static object *driver, *gpus[8];

static unsigned device_count(void) { return get("devices", 1); }

static void start(void) {
  if (driver) return;
  driver = make(DRIVER, 0);
  for (int i = 0; i < 8; i++) gpus[i] = make(GPU, driver);
}

static int device_number(object *device) {
  for (int i = 0; i < 8; i++)
    if (gpus[i] == device) return i;
  return -1;
}

result zeInit(uint32_t flags) {
  BEGIN("zeInit", "%u", flags);
  if (!get("drivers", 1)) return end(UNINITIALIZED);
  start();
  return end(0);
}

result zeDriverGet(uint32_t *count, object **drivers) {
  BEGIN("zeDriverGet");
  start();
  LISTED(count, drivers, (unsigned)get("drivers", 1), drivers[i] = driver);
}

#ifdef OLD
enum { API = 0x10004 };
#else
enum { API = 0x10011 };

result zeInitDrivers(uint32_t *count, object **drivers, void *desc) {
  BEGIN("zeInitDrivers");
  TYPE(desc, 0x20021);
  if (get("no zeInitDrivers", 0)) return end(UNSUPPORTED_FEATURE);
  start();
  LISTED(count, drivers, (unsigned)get("drivers", 1), drivers[i] = driver);
}

result zeDriverGetLastErrorDescription(object *d, const char **text) {
  BEGIN("zeDriverGetLastErrorDescription");
  *text = get("describe", 0) ? "the engine did not answer" : "";
  return end(0);
}
#endif

result zeDriverGetApiVersion(object *d, uint32_t *version) {
  BEGIN("zeDriverGetApiVersion");
  NEEDS(d, DRIVER);
  *version = get("api", API);
  return end(0);
}

result zeDriverGetProperties(object *d, void *properties) {
  BEGIN("zeDriverGetProperties");
  NEEDS(d, DRIVER);
  TYPE(properties, 0x1);
  PUT(properties, uint32_t, 32, (uint32_t)get("version", 0x01036bfa));
  return end(0);
}

result zeDriverGetExtensionProperties(object *d, uint32_t *count, char *places) {
  static const char *const names[] = {"ZE_extension_float_atomics", "ZE_extension_subgroups",
                                      "ZE_extension_kernel_max_group_size_properties",
                                      "ZE_extension_device_usablemem_size_properties"};
  BEGIN("zeDriverGetExtensionProperties");
  NEEDS(d, DRIVER);
  LISTED(count, places, (unsigned)get("extensions", 4),
         (snprintf(places + i * 260, 256, "%s", names[i]), PUT(places, uint32_t, i * 260 + 256, 0x10000)));
}

result zeDeviceGet(object *d, uint32_t *count, object **devices) {
  BEGIN("zeDeviceGet");
  NEEDS(d, DRIVER);
  LISTED(count, devices, device_count(), devices[i] = gpus[i]);
}

result zeDeviceGetProperties(object *device, char *p) {
  BEGIN("zeDeviceGetProperties");
  NEEDS(device, GPU);
  if (*(uint32_t *)p != 3) TYPE(p, 0x20006);
  static const uint32_t numbers[] = {1, 0x8086, 0x56a0, 0, 0, 2400};
  memcpy(p + 16, numbers, sizeof numbers);
  PUT(p, uint64_t, 40, get("memory", 1ll << 32));
  PUT(p, uint32_t, 64, 8), PUT(p, uint32_t, 68, 4), PUT(p, uint32_t, 72, 8);
  PUT(p, uint64_t, 80, 12500000), PUT(p, uint32_t, 88, 32), PUT(p, uint32_t, 92, 32);
  snprintf(p + 112, 256, "Stand-in %d", device_number(device));
  void *usable = (void *)chained(p, 0x20041);
  if (usable) PUT(usable, uint64_t, 16, get("free", 1ll << 32));
  return end(0);
}

result zeDeviceGetComputeProperties(object *device, void *p) {
  BEGIN("zeDeviceGetComputeProperties");
  NEEDS(device, GPU);
  TYPE(p, 0x4);
  static const uint32_t numbers[] = {1024, 1024, 1024, 1024, 0x7fffffff, 65535, 65535, 65536, 3, 32, 16, 8};
  memcpy((char *)p + 16, numbers, sizeof numbers);
  return end(0);
}

result zeDeviceGetModuleProperties(object *device, void *p) {
  BEGIN("zeDeviceGetModuleProperties");
  NEEDS(device, GPU);
  TYPE(p, 0x5);
  char name[32];
  snprintf(name, sizeof name, "spirv %d", device_number(device));
  PUT(p, uint32_t, 16, (uint32_t)get(name, 0x10004)), PUT(p, uint32_t, 20, (uint32_t)get("module flags", 7));
  void *atomics = (void *)chained(p, 0x10003);
  if (atomics) PUT(atomics, uint32_t, 20, 0x70007), PUT(atomics, uint32_t, 24, (uint32_t)get("atomics 64", 0));
  return end(0);
}

result zeDeviceGetCommandQueueGroupProperties(object *device, uint32_t *count, char *places) {
  BEGIN("zeDeviceGetCommandQueueGroupProperties");
  NEEDS(device, GPU);
  // The first group supports copies only.
  LISTED(count, places, 2,
         (PUT(places, uint32_t, i * 40 + 16, i ? (uint32_t)get("queue flags", 3) : 2), PUT(places, size_t, i * 40 + 24, 128),
          PUT(places, uint32_t, i * 40 + 32, 1)));
}

result zeDeviceGetMemoryProperties(object *device, uint32_t *count, char *places) {
  BEGIN("zeDeviceGetMemoryProperties");
  NEEDS(device, GPU);
  LISTED(count, places, 1, PUT(places, uint64_t, i * 296 + 32, get("memory", 1ll << 32)));
}

result zeDeviceGetMemoryAccessProperties(object *device, void *p) {
  BEGIN("zeDeviceGetMemoryAccessProperties");
  NEEDS(device, GPU);
  TYPE(p, 0x8);
  for (int i = 0; i < 5; i++) PUT(p, uint32_t, 16 + 4 * i, i == 4 ? 0 : i == 2 ? (uint32_t)get("shared", 1) : 1);
  return end(0);
}

result zeDeviceCanAccessPeer(object *device, object *peer, uint8_t *possible) {
  BEGIN("zeDeviceCanAccessPeer");
  NEEDS(device, GPU);
  NEEDS(peer, GPU);
  *possible = get("peers", 1);
  return end(0);
}

result zeContextCreate(object *d, const void *desc, object **made) {
  BEGIN("zeContextCreate");
  NEEDS(d, DRIVER);
  TYPE(desc, 0xd);
  *made = make(CONTEXT, d);
  return end(0);
}

result zeContextDestroy(object *context) {
  BEGIN("zeContextDestroy");
  NEEDS(context, CONTEXT);
  if (has_children(context)) return wrong(CALL, "the context still has objects");
  context->alive = 0;
  return end(0);
}

// ---- Memory.

static result allocate(object *context, object *device, size_t size, size_t alignment, int kind, pointer *p) {
  NEEDS(context, CONTEXT);
  if (device) NEEDS(device, GPU);
  POINTER(p);
  if (alignment & (alignment - 1) || alignment > 256) return end(UNSUPPORTED_ALIGNMENT);
  return end(take(p, size, kind, device ? device_number(device) : -1) ? 0 : OUT_OF_DEVICE_MEMORY);
}

result zeMemAllocDevice(object *context, const void *desc, size_t size, size_t alignment, object *device, pointer *p) {
  BEGIN("zeMemAllocDevice", "%zu", size);
  TYPE(desc, 0x15);
  return allocate(context, device, size, alignment, DEVICE, p);
}

result zeMemAllocHost(object *context, const void *desc, size_t size, size_t alignment, pointer *p) {
  BEGIN("zeMemAllocHost", "%zu", size);
  TYPE(desc, 0x16);
  return allocate(context, 0, size, alignment, HOST, p);
}

result zeMemAllocShared(object *context, const void *of_device, const void *of_host, size_t size, size_t alignment,
                        object *device, pointer *p) {
  BEGIN("zeMemAllocShared", "%zu", size);
  TYPE(of_device, 0x15);
  TYPE(of_host, 0x16);
  return allocate(context, device, size, alignment, SHARED, p);
}

result zeMemFree(object *context, pointer p) {
  BEGIN("zeMemFree");
  NEEDS(context, CONTEXT);
  return give_back(p) ? end(0) : wrong(CALL, "memory that was not allocated");
}

result zeMemGetAllocProperties(object *context, pointer p, void *properties, object **device) {
  BEGIN("zeMemGetAllocProperties");
  NEEDS(context, CONTEXT);
  TYPE(properties, 0x17);
  allocation *a = find(p);
  PUT(properties, uint32_t, 16, a ? a->kind : 0);
  if (device) *device = a && a->device >= 0 ? gpus[a->device] : 0;
  return end(0);
}

result zeMemGetAddressRange(object *context, pointer p, pointer *start, size_t *size) {
  BEGIN("zeMemGetAddressRange");
  NEEDS(context, CONTEXT);
  allocation *a = find(p);
  if (!a) return end(INVALID_ARGUMENT);
  *start = a->start, *size = a->size;
  return end(0);
}

#include "lists.h"
#include "code.h"
#include "tables.h"
