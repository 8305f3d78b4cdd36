// A stand-in with the functions of AMD's HIP library that we use, over host memory.
//
// Streams, events and modules belong to the device that was current when they were created, and
// calls that use them on another device fail. "hold" makes streams and events seem busy, "busy"
// only streams. As in the real library, code objects are not copied: their bytes must stay until
// the module is unloaded. With ROCM5 the stand-in is ROCm 5.2, otherwise ROCm 6.2.
#include "fake.h"

typedef struct stream { int device; } stream;
typedef struct event { uint64_t time; int timed, number, device; } event;
typedef struct module { const unsigned char *image; uint64_t sum; size_t size; int device, number; } module;
typedef struct function { module *owner; char name[64]; } function;
typedef struct attributes { int type, device; void *device_pointer, *host_pointer; int managed; unsigned flags; } attributes;

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, INVALID_PITCH = 12, NO_DEVICE = 100, INVALID_DEVICE = 101, INVALID_IMAGE = 200,
       INVALID_HANDLE = 400, NOT_FOUND = 500, NOT_READY = 600 };
enum { HOST = 1, DEVICE = 2, MANAGED = 3 };

static __thread int current;

static int is_quiet(const char *name) { return 0; }

#define BEGIN(name, ...) do { result code_ = begin(name, name " " __VA_ARGS__); if (code_) return end(code_); } while (0)
#define ON_DEVICE(thing) do { if ((thing)->device != current) return end(INVALID_HANDLE); } while (0)
#define HAS(number) do { if ((number) < 0 || (number) >= get("devices", 1)) return end(INVALID_DEVICE); } while (0)

// ---- Devices.

result hipInit(unsigned flags) {
  BEGIN("hipInit", "%u", flags);
  return end(get("devices", 1) ? 0 : INVALID_DEVICE);
}

result hipRuntimeGetVersion(int *version) {
  BEGIN("hipRuntimeGetVersion");
#ifdef ROCM5
  *version = 50221153;
#else
  *version = get("version", 60241134);
#endif
  return end(0);
}

const char *hipGetErrorName(unsigned code) {
  switch (code) {
  case 2: return "hipErrorOutOfMemory";
  case 100: return "hipErrorNoDevice";
  case 101: return "hipErrorInvalidDevice";
  case 200: return "hipErrorInvalidImage";
  case 209: return "hipErrorNoBinaryForGpu";
  case 303: return "hipErrorSharedObjectInitFailed";
  case 700: return "hipErrorIllegalAddress";
  case 719: return "hipErrorLaunchFailure";
  default: return "hipErrorUnknown";
  }
}

const char *hipGetErrorString(unsigned code) {
#ifdef ROCM5
  return hipGetErrorName(code);
#else
  return code == 4242 ? "hipErrorUnknown" : "the library's description";
#endif
}

result hipGetLastError(void) {
  result code = begin("hipGetLastError", "hipGetLastError %u", last_error);
  code = last_error;
  end(0);
  return code;
}

result hipGetDeviceCount(int *count) {
  BEGIN("hipGetDeviceCount");
  *count = get("devices", 1);
  return end(*count ? 0 : NO_DEVICE);
}

result hipGetDevice(int *device) { BEGIN("hipGetDevice"); *device = current; return end(0); }
result hipSetDevice(int device) { BEGIN("hipSetDevice", "%d", device); HAS(device); current = device; return end(0); }

result hipDeviceGetName(char *name, int length, int device) {
  BEGIN("hipDeviceGetName", "%d", device);
  HAS(device);
  snprintf(name, length, get("nameless", 0) ? "" : "AMD Fake %d", device);
  return end(0);
}

result hipDeviceTotalMem(size_t *bytes, int device) {
  BEGIN("hipDeviceTotalMem", "%d", device);
  HAS(device);
  *bytes = get("memory", 1ll << 32);
  return end(0);
}

static int is_narrow(int device);

result hipDeviceGetAttribute(int *value, int attribute, int device) {
  BEGIN("hipDeviceGetAttribute", "%d %d", attribute, device);
  HAS(device);
  char name[32];
  snprintf(name, sizeof name, "attribute %d", attribute);
  static const int known[][2] = {{3, 1}, {5, 1700000}, {9, 1}, {24, 1}, {26, 1024}, {27, 1024}, {28, 1024}, {29, 2147483647},
                                 {30, 65535}, {31, 65535}, {56, 1024}, {63, 104}, {65, 0}, {74, 65536}};
  int otherwise = attribute == 87 ? (is_narrow(device) ? 32 : 64) : 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i][0] == attribute) otherwise = known[i][1];
  *value = get(name, otherwise);
  return end(0);
}

static const char *target_of(int device) {
  static const char *const targets[] = {"gfx90a:sramecc+:xnack-", "gfx1030", "gfx803", "", "gfx90a:sramecc+:xnack+", "gfx1100"};
  char name[32];
  snprintf(name, sizeof name, "target %d", device);
  return targets[get(name, 0)];
}

static int is_narrow(int device) { return strncmp(target_of(device), "gfx1", 4) == 0 && strlen(target_of(device)) == 7; }

// Writes the properties with the target at an offset, and garbage at the offset of other versions.
static result properties(char *place, size_t size, size_t offset, int device) {
  memset(place, 'x', size);
  snprintf(place + offset, 256, "%s", target_of(device));
  return 0;
}

result hipGetDeviceProperties(char *place, int device) {
  BEGIN("hipGetDeviceProperties", "%d", device);
  HAS(device);
  return end(properties(place, 792, 396, device));
}

#ifndef ROCM5
result hipGetDevicePropertiesR0600(char *place, int device) {
  BEGIN("hipGetDevicePropertiesR0600", "%d", device);
  HAS(device);
  properties(place, 1472, 1160, device);
  if (get("new properties are empty", 0)) place[1160] = 0;
  return end(0);
}
#endif

#ifndef ROCM5
result hipDeviceSetLimit(unsigned limit, size_t value) { BEGIN("hipDeviceSetLimit", "%u %zu on %d", limit, value, current); return end(0); }
#endif

result hipDeviceCanAccessPeer(int *possible, int device, int peer) {
  BEGIN("hipDeviceCanAccessPeer", "%d %d", device, peer);
  *possible = get("peers", 1);
  return end(0);
}

result hipDeviceEnablePeerAccess(int peer, unsigned flags) { BEGIN("hipDeviceEnablePeerAccess", "%d %u on %d", peer, flags, current); return end(0); }
result hipDeviceDisablePeerAccess(int peer) { BEGIN("hipDeviceDisablePeerAccess", "%d on %d", peer, current); return end(0); }

// ---- Memory.

result hipMemGetInfo(size_t *available, size_t *total) {
  BEGIN("hipMemGetInfo");
  *total = get("memory", 1ll << 32), *available = get("free", *total);
  return end(0);
}

static result allocate(pointer *p, size_t size, int kind) { return take(p, size, kind, current) ? 0 : OUT_OF_MEMORY; }

static result release(pointer p, int is_host) {
  allocation *a = find(p);
  if (!a || (a->kind == HOST) != is_host) return INVALID_VALUE;
  return give_back(p) ? 0 : INVALID_VALUE;
}

result hipMalloc(pointer *p, size_t size) { BEGIN("hipMalloc", "%zu", size); return end(allocate(p, size, DEVICE)); }
result hipMallocManaged(pointer *p, size_t size, unsigned flags) { BEGIN("hipMallocManaged", "%zu %u", size, flags); return end(allocate(p, size, MANAGED)); }
result hipHostMalloc(pointer *p, size_t size, unsigned flags) { BEGIN("hipHostMalloc", "%zu %x", size, flags); return end(allocate(p, size, HOST)); }
result hipFree(pointer p) { BEGIN("hipFree"); return end(release(p, 0)); }
result hipHostFree(pointer p) { BEGIN("hipHostFree"); return end(release(p, 1)); }

result hipHostRegister(pointer p, size_t size, unsigned flags) { BEGIN("hipHostRegister", "%zu %x", size, flags); return end(enroll(p, size, current)); }
result hipHostUnregister(pointer p) { BEGIN("hipHostUnregister"); return end(dismiss(p)); }
result hipHostGetDevicePointer(pointer *seen, pointer p, unsigned flags) { BEGIN("hipHostGetDevicePointer", "%u", flags); *seen = p + get("shift", 0); return end(0); }

result hipPointerGetAttributes(attributes *answer, pointer p) {
  BEGIN("hipPointerGetAttributes");
  allocation *a = find(p);
  memset(answer, 0, sizeof *answer);
#ifdef ROCM5
  if (!a) return end(INVALID_VALUE);
  answer->type = a->kind == HOST ? 0 : 1;
#else
  answer->device = -2;
  if (!a) return end(0);
  answer->type = a->kind == MANAGED ? 3 : a->kind;
#endif
  answer->device = a->device, answer->managed = a->kind == MANAGED;
  answer->device_pointer = answer->host_pointer = (void *)p;
  return end(0);
}

result hipMemGetAddressRange(pointer *start, size_t *size, pointer p) {
  BEGIN("hipMemGetAddressRange");
  allocation *a = find(p);
  if (!a) return end(NOT_FOUND);
  *start = a->start, *size = a->size;
  return end(0);
}

result hipMemcpyAsync(void *to, const void *from, size_t size, int kind, stream *s) {
  BEGIN("hipMemcpyAsync", "%zu %d", size, kind);
  ON_DEVICE(s);
  memcpy(to, from, size);
  return end(0);
}

result hipMemcpy2DAsync(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width, size_t height, int kind, stream *s) {
  BEGIN("hipMemcpy2DAsync", "%zu -> %zu, %zu x %zu %d", from_pitch, to_pitch, width, height, kind);
  ON_DEVICE(s);
  if (to_pitch < width || from_pitch < width) return end(INVALID_PITCH);
  for (size_t row = 0; row < height; row++) memcpy(to + row * to_pitch, from + row * from_pitch, width);
  return end(0);
}

#define SET(bits, type)                                                                                                \
  result hipMemsetD##bits##Async(pointer to, type value, size_t count, stream *s) {                                    \
    BEGIN("hipMemsetD" #bits "Async", "%llu %zu", (unsigned long long)value, count);                                   \
    ON_DEVICE(s);                                                                                                      \
    if (to % sizeof value) return end(INVALID_VALUE);                                                                  \
    for (size_t i = 0; i < count; i++) ((type *)to)[i] = value;                                                        \
    return end(0);                                                                                                     \
  }
SET(8, uint8_t)
SET(16, uint16_t)
SET(32, uint32_t)

result hipMemPrefetchAsync(pointer p, size_t size, int device, stream *s) {
  BEGIN("hipMemPrefetchAsync", "%zu %d", size, device);
  ON_DEVICE(s);
  return end(0);
}

result hipMemAdvise(pointer p, size_t size, int advice, int device) {
  BEGIN("hipMemAdvise", "%zu %d %d", size, advice, device);
  return end(0);
}

// ---- Streams and events.

result hipStreamCreateWithFlags(stream **made, unsigned flags) {
  BEGIN("hipStreamCreateWithFlags", "%u", flags);
  *made = calloc(1, sizeof **made);
  (*made)->device = current;
  return end(0);
}

result hipStreamDestroy(stream *s) { BEGIN("hipStreamDestroy"); free(s); return end(0); }
result hipStreamQuery(stream *s) { BEGIN("hipStreamQuery"); ON_DEVICE(s); return end(get("hold", 0) || get("busy", 0) ? NOT_READY : 0); }
result hipStreamSynchronize(stream *s) { BEGIN("hipStreamSynchronize"); ON_DEVICE(s); return end(0); }
int hipGetStreamDeviceId(stream *s) { return s ? s->device : current; }

result hipStreamWaitEvent(stream *s, event *e, unsigned flags) {
  BEGIN("hipStreamWaitEvent", "event %d %u", e->number, flags);
  ON_DEVICE(s);
  return end(0);
}

result hipEventCreateWithFlags(event **made, unsigned flags) {
  BEGIN("hipEventCreateWithFlags", "%u", flags);
  *made = calloc(1, sizeof **made);
  (*made)->timed = !(flags & 2), (*made)->number = ++numbers, (*made)->device = current;
  return end(0);
}

result hipEventDestroy(event *e) { BEGIN("hipEventDestroy", "event %d", e->number); free(e); return end(0); }

result hipEventRecord(event *e, stream *s) {
  BEGIN("hipEventRecord", "event %d", e->number);
  ON_DEVICE(s);
  ON_DEVICE(e);
  e->time = event_time();
  return end(0);
}

result hipEventQuery(event *e) { BEGIN("hipEventQuery", "event %d", e->number); return end(get("hold", 0) ? NOT_READY : 0); }
result hipEventSynchronize(event *e) { BEGIN("hipEventSynchronize", "event %d", e->number); return end(0); }

result hipEventElapsedTime(float *milliseconds, event *a, event *b) {
  BEGIN("hipEventElapsedTime", "event %d event %d", a->number, b->number);
  if (!a->timed || !b->timed) return end(INVALID_HANDLE);
  *milliseconds = (double)((int64_t)b->time - (int64_t)a->time) / 1e6;
  return end(0);
}

// ---- Code.

static uint64_t sum(const module *m) {
  uint64_t sum = 0;
  for (size_t i = 0; i < m->size; i++) sum = sum * 31 + m->image[i];
  return sum;
}

// The code of the tests: a file with its section table at its end, and a string for each kernel
// after its header.
result hipModuleLoadDataEx(module **made, const unsigned char *image, unsigned count, int *options, void **values) {
  BEGIN("hipModuleLoadDataEx", "%u options", count);
  if (get("refuse", 0)) {
    for (unsigned i = 0; i < count; i++)
      if (options[i] == 5) say(values[i], (size_t)values[i + 1], "the relocations are damaged");
    return end(INVALID_IMAGE);
  }
  uint64_t table;
  memcpy(&table, image + 40, 8);
  module *m = *made = calloc(1, sizeof *m);
  m->image = image, m->size = table, m->sum = sum(m), m->device = current, m->number = ++numbers;
  return end(0);
}

result hipModuleUnload(module *m) {
  BEGIN("hipModuleUnload");
  if (m->sum != sum(m)) abort();
  free(m);
  return end(0);
}

result hipModuleGetFunction(function **found, module *m, const char *name) {
  BEGIN("hipModuleGetFunction", "%s", name);
  ON_DEVICE(m);
  char entry[128];
  snprintf(entry, sizeof entry, "kernel %s\n", name);
  if (!memmem(m->image, m->size, entry, strlen(entry))) return end(NOT_FOUND);
  *found = calloc(1, sizeof **found);
  (*found)->owner = m;
  snprintf((*found)->name, sizeof (*found)->name, "%s", name);
  return end(0);
}

result hipFuncGetAttribute(int *value, int attribute, function *f) {
  BEGIN("hipFuncGetAttribute", "%d", attribute);
  *value = attribute == 0 ? get("threads", 1024) : get("fixed", 0);
  return end(0);
}

result hipModuleOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, function *f, int size, size_t local_memory) {
  BEGIN("hipModuleOccupancyMaxActiveBlocksPerMultiprocessor", "%d %zu", size, local_memory);
  *groups = 2048 / size;
  return end(0);
}

#ifndef WITHOUT_LAUNCH
result hipModuleLaunchKernel(function *f, unsigned x, unsigned y, unsigned z, unsigned gx, unsigned gy, unsigned gz, unsigned local,
                             stream *s, void **parameters, void **extra) {
  BEGIN("hipModuleLaunchKernel", "%s %u %u %u, %u %u %u, %u, %zu", f->name, x, y, z, gx, gy, gz, local, extra ? *(size_t *)extra[3] : 0);
  ON_DEVICE(s);
  ON_DEVICE(f->owner);
  if (parameters || (extra && (extra[0] != (void *)1 || extra[2] != (void *)2 || extra[4] != (void *)3))) return end(INVALID_VALUE);
  if (f->owner->sum != sum(f->owner)) abort();
  run(f->name, extra ? extra[1] : 0, (uint64_t)x * gx);
  return end(0);
}
#endif
