// A stand-in with the functions of NVIDIA's driver that we use, over host memory.
//
// Commands run when they are submitted. Each call adds a line to a log, and any call can be made to
// fail. "hold" makes streams and events seem busy, "busy" only streams, and "tick" is the time
// between two events, starting at "time". The only kernel with an effect is `add_one` of the
// conformance suite.
#include "fake.h"

typedef struct context { int device, retained; } context;
typedef struct stream { context *owner; int64_t number; } stream;
typedef struct event { uint64_t time; int timed, number; } event;
typedef struct module { char *text; int number; } module;
typedef struct function { module *owner; char name[64]; int shared; } function;
typedef struct link { char *text, *log; size_t log_size; unsigned char *image; } link;
typedef struct copy_2d {
  size_t source_x, source_y; unsigned source_kind; const void *source_host; pointer source; void *source_array;
  size_t source_pitch, to_x, to_y; unsigned to_kind; void *to_host; pointer to; void *to_array;
  size_t to_pitch, width, height;
} copy_2d;

enum { INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_CONTEXT = 201, NO_BINARY = 209, INVALID_PTX = 218,
       NOT_FOUND = 500, NOT_READY = 600, ILLEGAL_ADDRESS = 700 };

static context contexts[8];
static __thread context *current[16];
static __thread int depth;

static int is_quiet(const char *name) { return !strcmp(name, "cuGetErrorName") || !strcmp(name, "cuGetErrorString"); }

#define BEGIN(name, ...) do { result code_ = begin(name, name " " __VA_ARGS__); if (code_) return end(code_); } while (0)
#define NEEDS_CONTEXT() do { if (!depth || !current[depth - 1]) return end(INVALID_CONTEXT); } while (0)

// ---- Devices and contexts.

result cuInit(unsigned flags) { BEGIN("cuInit", "%u", flags); return end(0); }
result cuDriverGetVersion(int *version) { BEGIN("cuDriverGetVersion"); *version = get("version", 13000); return end(0); }

result cuGetErrorName(unsigned code, const char **text) {
  BEGIN("cuGetErrorName", "%u", code);
  switch (code) {
  case 2: *text = "CUDA_ERROR_OUT_OF_MEMORY"; break;
  case 100: *text = "CUDA_ERROR_NO_DEVICE"; break;
  case 209: *text = "CUDA_ERROR_NO_BINARY_FOR_GPU"; break;
  case 218: *text = "CUDA_ERROR_INVALID_PTX"; break;
  case 700: *text = "CUDA_ERROR_ILLEGAL_ADDRESS"; break;
  case 803: *text = "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"; break;
  default: *text = 0; return end(INVALID_VALUE);
  }
  return end(0);
}

result cuGetErrorString(unsigned code, const char **text) {
  BEGIN("cuGetErrorString", "%u", code);
  *text = "the driver's description";
  return end(code == 4242 ? INVALID_VALUE : 0);
}

result cuDeviceGetCount(int *count) {
  BEGIN("cuDeviceGetCount");
  *count = get("devices", 1);
  return end(0);
}

result cuDeviceGet(int *device, int ordinal) { BEGIN("cuDeviceGet", "%d", ordinal); *device = ordinal; return end(0); }

result cuDeviceGetName(char *name, int length, int device) {
  BEGIN("cuDeviceGetName", "%d", device);
  snprintf(name, length, "NVIDIA Fake %d", device);
  return end(0);
}

result cuDeviceTotalMem_v2(size_t *bytes, int device) {
  BEGIN("cuDeviceTotalMem_v2", "%d", device);
  *bytes = get("memory", 1ll << 32);
  return end(0);
}

result cuDeviceGetAttribute(int *value, int attribute, int device) {
  BEGIN("cuDeviceGetAttribute", "%d %d", attribute, device);
  char name[32];
  snprintf(name, sizeof name, "attribute %d", attribute);
  static const int known[][2] = {
      {1, 1024}, {2, 1024}, {3, 1024}, {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 49152}, {13, 1980000},
      {16, 132}, {19, 1}, {39, 2048}, {41, 1}, {75, 9}, {76, 0}, {82, 65536}, {83, 1}, {88, 0}, {89, 1}, {97, 232448}};
  int otherwise = 0;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i][0] == attribute) otherwise = known[i][1];
  *value = get(name, otherwise);
  return end(0);
}

result cuDevicePrimaryCtxRetain(context **made, int device) {
  BEGIN("cuDevicePrimaryCtxRetain", "%d", device);
  contexts[device].device = device, contexts[device].retained++;
  *made = &contexts[device];
  return end(0);
}

result cuDevicePrimaryCtxRelease_v2(int device) {
  BEGIN("cuDevicePrimaryCtxRelease_v2", "%d", device);
  contexts[device].retained--;
  return end(0);
}

result cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active) {
  BEGIN("cuDevicePrimaryCtxGetState", "%d", device);
  *flags = 0, *active = contexts[device].retained > 0;
  return end(0);
}

result cuCtxGetCurrent(context **c) {
  BEGIN("cuCtxGetCurrent");
  *c = depth ? current[depth - 1] : 0;
  return end(0);
}

result cuCtxSetCurrent(context *c) {
  BEGIN("cuCtxSetCurrent", "%d", c ? c->device : -1);
  if (!depth) depth = 1;
  current[depth - 1] = c;
  return end(0);
}

result cuCtxPushCurrent_v2(context *c) {
  BEGIN("cuCtxPushCurrent_v2", "%d", c->device);
  current[depth++] = c;
  return end(0);
}

result cuCtxPopCurrent_v2(context **c) {
  BEGIN("cuCtxPopCurrent_v2");
  if (!depth) return end(INVALID_CONTEXT);
  *c = current[--depth];
  return end(0);
}

result cuDeviceCanAccessPeer(int *possible, int device, int peer) {
  BEGIN("cuDeviceCanAccessPeer", "%d %d", device, peer);
  *possible = get("peers", 1);
  return end(0);
}

result cuCtxEnablePeerAccess(context *peer, unsigned flags) {
  BEGIN("cuCtxEnablePeerAccess", "%d %u", peer->device, flags);
  NEEDS_CONTEXT();
  return end(0);
}

result cuCtxDisablePeerAccess(context *peer) {
  BEGIN("cuCtxDisablePeerAccess", "%d", peer->device);
  NEEDS_CONTEXT();
  return end(0);
}

result cuCtxSetLimit(unsigned limit, size_t value) {
  BEGIN("cuCtxSetLimit", "%u %zu", limit, value);
  NEEDS_CONTEXT();
  return end(0);
}

// ---- Memory.

static result allocate(pointer *p, size_t size, int kind) {
  return take(p, size, kind, current[depth - 1]->device) ? 0 : OUT_OF_MEMORY;
}

static result release(pointer p) { return give_back(p) ? 0 : INVALID_VALUE; }

result cuMemGetInfo_v2(size_t *available, size_t *total) {
  BEGIN("cuMemGetInfo_v2");
  NEEDS_CONTEXT();
  *total = get("memory", 1ll << 32), *available = get("free", *total);
  return end(0);
}

result cuMemAlloc_v2(pointer *p, size_t size) {
  BEGIN("cuMemAlloc_v2", "%zu", size);
  NEEDS_CONTEXT();
  return end(allocate(p, size, 2));
}

result cuMemAllocManaged(pointer *p, size_t size, unsigned flags) {
  BEGIN("cuMemAllocManaged", "%zu %u", size, flags);
  NEEDS_CONTEXT();
  return end(allocate(p, size, 3));
}

result cuMemHostAlloc(pointer *p, size_t size, unsigned flags) {
  BEGIN("cuMemHostAlloc", "%zu %u", size, flags);
  NEEDS_CONTEXT();
  return end(allocate(p, size, 1));
}

result cuMemFree_v2(pointer p) { BEGIN("cuMemFree_v2"); NEEDS_CONTEXT(); return end(release(p)); }
result cuMemFreeHost(pointer p) { BEGIN("cuMemFreeHost"); NEEDS_CONTEXT(); return end(release(p)); }

result cuMemHostRegister_v2(pointer p, size_t size, unsigned flags) {
  BEGIN("cuMemHostRegister_v2", "%zu %u", size, flags);
  NEEDS_CONTEXT();
  return end(enroll(p, size, current[depth - 1]->device));
}

result cuMemHostUnregister(pointer p) { BEGIN("cuMemHostUnregister"); NEEDS_CONTEXT(); return end(dismiss(p)); }

result cuMemHostGetDevicePointer_v2(pointer *seen, pointer p, unsigned flags) {
  BEGIN("cuMemHostGetDevicePointer_v2", "%u", flags);
  NEEDS_CONTEXT();
  *seen = p + get("shift", 0);
  return end(0);
}

// Unlike the function for one attribute, this one returns 0 for memory that it does not know.
result cuPointerGetAttributes(unsigned count, int *attributes, void **values, pointer p) {
  BEGIN("cuPointerGetAttributes", "%u", count);
  allocation *a = find(p);
  for (unsigned i = 0; i < count; i++)
    switch (attributes[i]) {
    case 2: *(unsigned *)values[i] = !a ? 0 : a->kind == 1 ? 1 : 2; break;
    case 8: *(unsigned char *)values[i] = a && a->kind == 3; break;
    case 9: *(int *)values[i] = a ? a->device : -2; break;
    case 11: *(pointer *)values[i] = a ? a->start : 0; break;
    case 12: *(size_t *)values[i] = a ? a->size : 0; break;
    default: return end(INVALID_VALUE);
    }
  return end(0);
}

result cuMemcpyAsync(pointer to, pointer from, size_t size, stream *s) {
  BEGIN("cuMemcpyAsync", "%zu", size);
  NEEDS_CONTEXT();
  memcpy((void *)to, (void *)from, size);
  return end(0);
}

result cuMemcpy2DAsync_v2(const copy_2d *c, stream *s) {
  BEGIN("cuMemcpy2DAsync_v2", "%u %zu -> %u %zu, %zu x %zu", c->source_kind, c->source_pitch, c->to_kind, c->to_pitch,
        c->width, c->height);
  NEEDS_CONTEXT();
  if (c->source_pitch < c->width || c->to_pitch < c->width) return end(INVALID_VALUE);
  char *to = c->to_kind == 1 ? c->to_host : (char *)c->to;
  const char *from = c->source_kind == 1 ? c->source_host : (char *)c->source;
  for (size_t row = 0; row < c->height; row++) memcpy(to + row * c->to_pitch, from + row * c->source_pitch, c->width);
  return end(0);
}

#define SET(bits, type)                                                                                                \
  result cuMemsetD##bits##Async(pointer to, type value, size_t count, stream *s) {                                     \
    BEGIN("cuMemsetD" #bits "Async", "%llu %zu", (unsigned long long)value, count);                                    \
    NEEDS_CONTEXT();                                                                                                   \
    if (to % sizeof value) return end(INVALID_VALUE);                                                                  \
    for (size_t i = 0; i < count; i++) ((type *)to)[i] = value;                                                        \
    return end(0);                                                                                                     \
  }                                                                                                                    \
  result cuMemsetD2D##bits##Async(pointer to, size_t pitch, type value, size_t width, size_t height, stream *s) {      \
    BEGIN("cuMemsetD2D" #bits "Async", "%zu %llu %zu x %zu", pitch, (unsigned long long)value, width, height);         \
    NEEDS_CONTEXT();                                                                                                   \
    if (to % sizeof value || pitch % sizeof value) return end(INVALID_VALUE);                                          \
    for (size_t y = 0; y < height; y++)                                                                                \
      for (size_t x = 0; x < width; x++) ((type *)(to + y * pitch))[x] = value;                                        \
    return end(0);                                                                                                     \
  }
SET(8, uint8_t)
SET(16, uint16_t)
SET(32, uint32_t)

result cuMemPrefetchAsync(pointer p, size_t size, int device, stream *s) {
  BEGIN("cuMemPrefetchAsync", "%zu %d", size, device);
  NEEDS_CONTEXT();
  return end(0);
}

result cuMemAdvise(pointer p, size_t size, int advice, int device) {
  BEGIN("cuMemAdvise", "%zu %d %d", size, advice, device);
  NEEDS_CONTEXT();
  return end(0);
}

// ---- Streams and events.

result cuStreamCreate(stream **made, unsigned flags) {
  BEGIN("cuStreamCreate", "%u", flags);
  NEEDS_CONTEXT();
  *made = calloc(1, sizeof **made);
  (*made)->owner = current[depth - 1];
  return end(0);
}

result cuStreamDestroy_v2(stream *s) { BEGIN("cuStreamDestroy_v2"); free(s); return end(0); }
result cuStreamQuery(stream *s) { BEGIN("cuStreamQuery"); NEEDS_CONTEXT(); return end(get("hold", 0) || get("busy", 0) ? NOT_READY : 0); }
result cuStreamSynchronize(stream *s) { BEGIN("cuStreamSynchronize"); NEEDS_CONTEXT(); return end(0); }

result cuStreamWaitEvent(stream *s, event *e, unsigned flags) {
  BEGIN("cuStreamWaitEvent", "event %d %u", e->number, flags);
  NEEDS_CONTEXT();
  return end(0);
}

result cuStreamGetCtx(stream *s, context **c) { BEGIN("cuStreamGetCtx"); *c = s->owner; return end(0); }

result cuEventCreate(event **made, unsigned flags) {
  BEGIN("cuEventCreate", "%u", flags);
  NEEDS_CONTEXT();
  *made = calloc(1, sizeof **made);
  (*made)->timed = !(flags & 2), (*made)->number = ++numbers;
  return end(0);
}

result cuEventDestroy_v2(event *e) { BEGIN("cuEventDestroy_v2", "event %d", e->number); free(e); return end(0); }

result cuEventRecord(event *e, stream *s) {
  BEGIN("cuEventRecord", "event %d", e->number);
  NEEDS_CONTEXT();
  e->time = event_time();
  return end(0);
}

result cuEventQuery(event *e) {
  BEGIN("cuEventQuery", "event %d", e->number);
  NEEDS_CONTEXT();
  return end(get("hold", 0) ? NOT_READY : 0);
}

result cuEventSynchronize(event *e) { BEGIN("cuEventSynchronize", "event %d", e->number); NEEDS_CONTEXT(); return end(0); }

result cuEventElapsedTime(float *milliseconds, event *a, event *b) {
  BEGIN("cuEventElapsedTime", "event %d event %d", a->number, b->number);
  if (!a->timed || !b->timed) return end(INVALID_VALUE);
  *milliseconds = (double)((int64_t)b->time - (int64_t)a->time) / 1e6;
  return end(0);
}

// ---- Code.

static int is_ptx(const char *text) {
  text += strspn(text, " \n\t");
  size_t length = strlen(text);
  while (length && strchr(" \n\t", text[length - 1])) length--;
  return length && !strncmp(text, ".version", 8) && text[length - 1] == '}';
}

#ifndef WITHOUT_LINK
result cuLinkCreate_v2(unsigned count, int *options, void **values, link **made) {
  char text[256] = "";
  link *l = calloc(1, sizeof *l);
  for (unsigned i = 0; i < count; i++) {
    if (options[i] == 5) l->log = values[i];
    if (options[i] == 6) l->log_size = (size_t)values[i];
    if (options[i] != 5 && options[i] != 3) sprintf(text + strlen(text), " %d=%zu", options[i], (size_t)values[i]);
  }
  result code = begin("cuLinkCreate_v2", "cuLinkCreate_v2%s", text);
  *made = l;
  return end(code);
}
#endif

result cuLinkAddData_v2(link *l, int kind, void *data, size_t size, const char *name, unsigned count, int *options, void **values) {
  BEGIN("cuLinkAddData_v2", "%d %zu %s", kind, size, name);
  l->text = strndup(data, size);
  if (strlen(l->text) + 1 == size && is_ptx(l->text)) return end(0);
  say(l->log, l->log_size, "ptxas application ptx input, line 1; fatal   : Parsing error near '?'");
  return end(INVALID_PTX);
}

result cuLinkComplete(link *l, void **image, size_t *size) {
  BEGIN("cuLinkComplete");
  size_t length = strlen(l->text);
  unsigned char *cubin = l->image = calloc(1, 128 + length);
  memcpy(cubin, "\x7f" "ELF\x02\x01", 6);
  cubin[18] = 190, cubin[48] = get("attribute 75", 9) * 10 + get("attribute 76", 0), cubin[58] = 64, cubin[60] = 1;
  uint64_t table = 64 + length, start = 64, bytes = length;
  memcpy(cubin + 40, &table, 8);
  memcpy(cubin + 64, l->text, length);
  cubin[table + 4] = 1;
  memcpy(cubin + table + 24, &start, 8);
  memcpy(cubin + table + 32, &bytes, 8);
  *image = cubin, *size = 128 + length;
  return end(0);
}

result cuLinkDestroy(link *l) { BEGIN("cuLinkDestroy"); free(l->text), free(l->image), free(l); return end(0); }

result cuModuleLoadDataEx(module **made, const unsigned char *image, unsigned count, int *options, void **values) {
  BEGIN("cuModuleLoadDataEx", "%d options", count);
  NEEDS_CONTEXT();
  if (image[48] != get("attribute 75", 9) * 10 + get("attribute 76", 0)) {
    say(values[0], (size_t)values[1], "the image is for another architecture");
    return end(NO_BINARY);
  }
  uint64_t table;
  memcpy(&table, image + 40, 8);
  *made = calloc(1, sizeof **made);
  (*made)->text = strndup((const char *)image + 64, table - 64), (*made)->number = ++numbers;
  return end(0);
}

result cuModuleUnload(module *m) { BEGIN("cuModuleUnload"); free(m->text), free(m); return end(0); }

result cuModuleGetFunction(function **found, module *m, const char *name) {
  BEGIN("cuModuleGetFunction", "%s", name);
  char entry[128];
  snprintf(entry, sizeof entry, ".entry %s(", name);
  if (!strstr(m->text, entry)) return end(NOT_FOUND);
  *found = calloc(1, sizeof **found);
  (*found)->owner = m;
  snprintf((*found)->name, sizeof (*found)->name, "%s", name);
  return end(0);
}

result cuFuncGetAttribute(int *value, int attribute, function *f) {
  BEGIN("cuFuncGetAttribute", "%d", attribute);
  const char *limit = strstr(f->owner->text, ".maxnreg ");
  switch (attribute) {
  case 0: *value = get("threads", 1024); break;
  case 3: *value = limit ? get("spilled", 0) : 0; break;
  case 4: *value = limit ? atoi(limit + strlen(".maxnreg ")) : get("registers", 16); break;
  default: *value = 0;
  }
  return end(0);
}

result cuFuncSetAttribute(function *f, int attribute, int value) {
  BEGIN("cuFuncSetAttribute", "%d %d", attribute, value);
  return end(0);
}

result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *groups, function *f, int size, size_t local_memory) {
  BEGIN("cuOccupancyMaxActiveBlocksPerMultiprocessor", "%d %zu", size, local_memory);
  *groups = 2048 / size;
  return end(0);
}

result cuLaunchKernel(function *f, unsigned x, unsigned y, unsigned z, unsigned gx, unsigned gy, unsigned gz, unsigned local,
                      stream *s, void **parameters, void **extra) {
  BEGIN("cuLaunchKernel", "%s %u %u %u, %u %u %u, %u, %zu", f->name, x, y, z, gx, gy, gz, local, extra ? *(size_t *)extra[3] : 0);
  NEEDS_CONTEXT();
  run(f->name, extra ? extra[1] : 0, (uint64_t)x * gx);
  return end(0);
}
