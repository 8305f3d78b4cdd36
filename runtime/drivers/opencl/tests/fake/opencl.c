// A stand-in with the functions of OpenCL that we use, over host memory.
//
// It is loader and platforms in one. "hold" makes markers seem incomplete. Code is SPIR-V, of which
// only the name of the entry is read. The stand-in ends the process if a thread sets an argument of
// a kernel while another thread is setting its arguments, or if a handle belongs to another
// context.
#include "fake.h"

typedef struct platform { int number; } platform;
typedef struct device { int number; platform *of; } device;
typedef struct context { int users; platform *of; } context;
typedef struct queue { context *of; device *on; uint64_t properties; } queue;
typedef struct event { uint64_t time; int number, timed; context *of; } event;
typedef struct program { unsigned char *code; size_t size; int built; context *of; } program;
typedef struct kernel { program *of; char name[64]; uint64_t arguments[16]; pthread_t setter; int is_setting; } kernel;

enum { DEVICE_NOT_FOUND = -1, OUT_OF_RESOURCES = -5, NO_TIMES = -7, BUILD_FAILURE = -11, INVALID_VALUE = -30, INVALID_CONTEXT = -34,
       INVALID_QUEUE = -36, INVALID_BINARY = -42, INVALID_NAME = -46, INVALID_ARGUMENT = -50, NO_PLATFORM = -1001 };
enum { HOST = 0x4197, DEVICE = 0x4198, SHARED = 0x4199, SVM = 1 };

static platform platforms[2] = {{0}, {1}};
static device devices[2][4];

static int is_quiet(const char *name) { return 0; }

#define BEGIN(name, ...) do { result code_ = begin(name, name " " __VA_ARGS__); if (code_) return end(code_); } while (0)
// For functions that return a value and store the error code.
#define MAKE(name, ...) do { *error = begin(name, name " " __VA_ARGS__); if (*error) { end(*error); return 0; } } while (0)
#define MADE(value) do { end(0); return (value); } while (0)

// ---- Answers.

static result answer(const void *data, size_t length, size_t room, void *value, size_t *size) {
  if (size) *size = length;
  if (value && room < length) return INVALID_VALUE;
  if (value) memcpy(value, data, length);
  return 0;
}

static result text(const char *data, size_t room, void *value, size_t *size) { return answer(data, strlen(data) + 1, room, value, size); }
static result number(uint64_t data, size_t length, size_t room, void *value, size_t *size) { return answer(&data, length, room, value, size); }

result clGetPlatformIDs(unsigned room, platform **found, unsigned *count) {
  BEGIN("clGetPlatformIDs");
  unsigned there = get("platforms", 1);
  if (!there) return end(NO_PLATFORM);
  if (count) *count = there;
  for (unsigned i = 0; i < room && i < there; i++) found[i] = &platforms[i];
  return end(0);
}

result clGetPlatformInfo(platform *p, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetPlatformInfo", "%x", name);
  return end(text(p->number ? "Other Platform" : "Fake Platform", room, value, size));
}

result clGetDeviceIDs(platform *p, uint64_t kinds, unsigned room, device **found, unsigned *count) {
  BEGIN("clGetDeviceIDs");
  unsigned there = get("devices", 1);
  if (!there) return end(DEVICE_NOT_FOUND);
  if (count) *count = there;
  for (unsigned i = 0; i < room && i < there; i++) {
    device *d = found[i] = &devices[p->number][i];
    d->number = i, d->of = p;
  }
  return end(0);
}

// A string property of a device.
static const char *text_of(device *d, unsigned name) {
  static char made[600];
  int with_usm = get("usm", 1), il = get("il", 14), version = get("version", 30);
  switch (name) {
  case 0x102b: snprintf(made, sizeof made, "Fake %d", d->number); return made;
  case 0x102c: return "Fake Vendor";
  case 0x102d: snprintf(made, sizeof made, "1.2.%d", get("driver", 3)); return made;
  case 0x102f: snprintf(made, sizeof made, "OpenCL %d.%d of nobody", version / 10, version % 10); return made;
  case 0x105b: if (!il) return ""; snprintf(made, sizeof made, "SPIR-V_1.0 SPIR-V_%d.%d", il / 10, il % 10); return made;
  case 0x1030:
    snprintf(made, sizeof made, "cl_khr_fp64%s%s%s cl_khr_int64_base_atomics cl_khr_int64_extended_atomics cl_khr_subgroup_shuffle",
             get("il program", 1) ? " cl_khr_il_program" : "", with_usm ? " cl_intel_unified_shared_memory" : "",
             get("more", 0) ? " cl_ext_float_atomics cl_intel_required_subgroup_size cl_khr_spirv_queries" : "");
    return made;
  default: return 0;
  }
}

result clGetDeviceInfo(device *d, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetDeviceInfo", "%d %x", d->number, name);
  const char *said = text_of(d, name);
  if (said) return end(text(said, room, value, size));
  const size_t sizes[] = {1024, 1024, 512}, sub_groups[] = {8, 16, 32};
  static const char *const extensions[] = {"SPV_KHR_expect_assume"};
  static const unsigned capabilities[] = {4464, 4465, 4466, 4467, 4468};
  if (name == 0x1005) return end(answer(sizes, sizeof sizes, room, value, size));
  if (name == 0x4108) return end(answer(sub_groups, sizeof sub_groups, room, value, size));
  if (name == 0x12ba) return end(answer(extensions, sizeof extensions, room, value, size));
  if (name == 0x12bb) return end(answer(capabilities, sizeof capabilities, room, value, size));
  // Each row: query, answer, and size of the answer.
  static const uint64_t known[][3] = {
      {0x1000, 4, 8}, {0x1001, 0x1234, 4}, {0x1002, 96, 4}, {0x1004, 1024, 8}, {0x100c, 1500, 4}, {0x100d, 64, 4}, {0x1010, 1ull << 31, 8},
      {0x101b, 0xbf, 8}, {0x101d, 64, 4}, {0x101f, 1ull << 32, 8}, {0x1023, 65536, 8}, {0x1026, 1, 4}, {0x1027, 1, 4}, {0x1028, 1, 4}, {0x1032, 63, 8},
      {0x104d, 65536, 8}, {0x1053, 3, 8}, {0x105c, 32, 4}, {0x1069, 1, 4}, {0x4190, 1, 8}, {0x4191, 1, 8}, {0x4192, 1, 8}, {0x4194, 0, 8},
      {0x4231, 0x20002, 8}, {0x4232, 0, 8}};
  char key[32], of_device[32];
  snprintf(key, sizeof key, "info %x", name);
  snprintf(of_device, sizeof of_device, "info %x %d", name, d->number);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i][0] == name) return end(number(get(of_device, get(key, known[i][1])), known[i][2], room, value, size));
  return end(INVALID_VALUE);
}

// ---- Contexts and queues.

context *clCreateContext(const intptr_t *properties, unsigned count, device *const *on, void *notify, void *data, int *error) {
  MAKE("clCreateContext", "%u devices", count);
  context *c = calloc(1, sizeof *c);
  c->of = on[0]->of;
  MADE(c);
}

result clReleaseContext(context *c) { BEGIN("clReleaseContext"); free(c); return end(0); }

queue *clCreateCommandQueueWithProperties(context *c, device *d, const uint64_t *properties, int *error) {
  MAKE("clCreateCommandQueueWithProperties", "%llu", (unsigned long long)properties[1]);
  if (c->of != d->of || properties[0] != 0x1093) abort();
  queue *q = calloc(1, sizeof *q);
  q->of = c, q->on = d, q->properties = properties[1];
  MADE(q);
}

result clReleaseCommandQueue(queue *q) { BEGIN("clReleaseCommandQueue"); free(q); return end(0); }
result clFlush(queue *q) { BEGIN("clFlush"); return end(0); }
result clFinish(queue *q) { BEGIN("clFinish"); return end(0); }

result clGetCommandQueueInfo(queue *q, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetCommandQueueInfo", "%x", name);
  switch (name) {
  case 0x1090: return end(answer(&q->of, 8, room, value, size));
  case 0x1091: return end(answer(&q->on, 8, room, value, size));
  case 0x1093: return end(number(q->properties | get("properties", 0), 8, room, value, size));
  default: return end(INVALID_VALUE);
  }
}

// ---- Events.

static event *mark(queue *q) {
  event *e = calloc(1, sizeof *e);
  e->number = ++numbers, e->timed = (q->properties & 2) != 0, e->of = q->of, e->time = event_time();
  return e;
}

result clEnqueueMarkerWithWaitList(queue *q, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueMarkerWithWaitList", "%u", count);
  *made = mark(q);
  return end(0);
}

result clEnqueueBarrierWithWaitList(queue *q, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueBarrierWithWaitList", "%u", count);
  for (unsigned i = 0; i < count; i++)
    if (events[i]->of != q->of) abort();
  return end(0);
}

result clGetEventInfo(event *e, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetEventInfo", "%x", name);
  return end(number((uint32_t)get("status", get("hold", 0) ? 2 : 0), 4, room, value, size));
}

result clWaitForEvents(unsigned count, event *const *events) { BEGIN("clWaitForEvents", "%u", count); return end(0); }
result clReleaseEvent(event *e) { BEGIN("clReleaseEvent"); free(e); return end(0); }

result clGetEventProfilingInfo(event *e, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetEventProfilingInfo", "%x", name);
  return end(e->timed ? number(e->time, 8, room, value, size) : NO_TIMES);
}

// ---- Memory.

static void *allocate(size_t size, int kind, device *d, int *error) {
  pointer p = 0;
  if (!take(&p, size, kind, d ? d->number : -1)) *error = OUT_OF_RESOURCES;
  end(*error);
  return (void *)p;
}

void *clHostMemAllocINTEL(context *c, const uint64_t *properties, size_t size, unsigned alignment, int *error) {
  MAKE("clHostMemAllocINTEL", "%zu", size);
  return allocate(size, HOST, 0, error);
}

void *clDeviceMemAllocINTEL(context *c, device *d, const uint64_t *properties, size_t size, unsigned alignment, int *error) {
  MAKE("clDeviceMemAllocINTEL", "%zu", size);
  return allocate(size, DEVICE, d, error);
}

void *clSharedMemAllocINTEL(context *c, device *d, const uint64_t *properties, size_t size, unsigned alignment, int *error) {
  MAKE("clSharedMemAllocINTEL", "%zu", size);
  return allocate(size, SHARED, d, error);
}

result clMemBlockingFreeINTEL(context *c, void *p) { BEGIN("clMemBlockingFreeINTEL"); return end(give_back((pointer)p) ? 0 : INVALID_VALUE); }

result clGetMemAllocInfoINTEL(context *c, const void *p, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetMemAllocInfoINTEL", "%x", name);
  allocation *a = find((pointer)p);
  device *d = a && a->device >= 0 ? &devices[c->of->number][a->device] : 0;
  switch (name) {
  case 0x419a: return end(number(a ? a->kind : 0x4196, 4, room, value, size));
  case 0x419b: return end(number(a ? a->start : 0, 8, room, value, size));
  case 0x419c: return end(number(a ? a->size : 0, 8, room, value, size));
  case 0x419d: return end(answer(&d, 8, room, value, size));
  default: return end(INVALID_VALUE);
  }
}

void *clSVMAlloc(context *c, uint64_t flags, size_t size, unsigned alignment) {
  int error = begin("clSVMAlloc", "clSVMAlloc %llx %zu", (unsigned long long)flags, size);
  return error ? (end(error), (void *)0) : allocate(size, SVM, 0, &error);
}

void clSVMFree(context *c, void *p) {
  begin("clSVMFree", "clSVMFree");
  give_back((pointer)p);
  end(0);
}

static result copy(void *to, const void *from, size_t size) { memcpy(to, from, size); return 0; }

static result fill(void *to, const void *pattern, size_t length, size_t size) {
  if ((pointer)to % length || size % length) return INVALID_VALUE;
  for (size_t i = 0; i < size; i += length) memcpy((char *)to + i, pattern, length);
  return 0;
}

result clEnqueueMemcpyINTEL(queue *q, unsigned blocking, void *to, const void *from, size_t size, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueMemcpyINTEL", "%u %zu", blocking, size);
  return end(copy(to, from, size));
}

result clEnqueueMemFillINTEL(queue *q, void *to, const void *pattern, size_t length, size_t size, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueMemFillINTEL", "%zu %zu", length, size);
  return end(fill(to, pattern, length, size));
}

result clEnqueueMigrateMemINTEL(queue *q, const void *p, size_t size, uint64_t flags, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueMigrateMemINTEL", "%zu %llu", size, (unsigned long long)flags);
  return end(flags ? 0 : INVALID_VALUE);
}

result clEnqueueSVMMemcpy(queue *q, unsigned blocking, void *to, const void *from, size_t size, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueSVMMemcpy", "%u %zu", blocking, size);
  return end(copy(to, from, size));
}

result clEnqueueSVMMemFill(queue *q, void *to, const void *pattern, size_t length, size_t size, unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueSVMMemFill", "%zu %zu", length, size);
  return end(fill(to, pattern, length, size));
}

// ---- Code.

static program *make_program(context *c, const void *code, size_t size) {
  program *p = calloc(1, sizeof *p);
  p->code = memcpy(malloc(size), code, size), p->size = size, p->of = c;
  return p;
}

program *clCreateProgramWithIL(context *c, const void *code, size_t size, int *error) {
  MAKE("clCreateProgramWithIL", "%zu", size);
  if (get("version", 30) < 21) abort();
  MADE(make_program(c, code, size));
}

program *clCreateProgramWithILKHR(context *c, const void *code, size_t size, int *error) {
  MAKE("clCreateProgramWithILKHR", "%zu", size);
  MADE(make_program(c, code, size));
}

// Machine code is the SPIR-V after a magic string and the driver's number.
static const char binary[] = "CLBIN";

result clGetProgramInfo(program *p, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetProgramInfo", "%x", name);
  size_t length = get("no binary", 0) ? 0 : sizeof binary + p->size;
  if (name == 0x1165) return end(answer(&length, sizeof length, room, value, size));
  if (name != 0x1166) return end(INVALID_VALUE);
  if (!length) return end(0);
  unsigned char *code = *(unsigned char **)value;
  memcpy(code, binary, sizeof binary - 1), code[sizeof binary - 1] = (unsigned char)get("driver", 3);
  memcpy(code + sizeof binary, p->code, p->size);
  return end(0);
}

program *clCreateProgramWithBinary(context *c, unsigned count, device *const *on, const size_t *sizes, const unsigned char *const *code,
                                   int *statuses, int *error) {
  MAKE("clCreateProgramWithBinary", "%u %zu", count, *sizes);
  if (*sizes <= sizeof binary || memcmp(*code, binary, sizeof binary - 1) || (*code)[sizeof binary - 1] != get("driver", 3)) {
    *statuses = *error = INVALID_BINARY;
    end(*error);
    return 0;
  }
  MADE(make_program(c, *code + sizeof binary, *sizes - sizeof binary));
}

result clBuildProgram(program *p, unsigned count, device *const *on, const char *options, void *notify, void *data) {
  BEGIN("clBuildProgram", "%u '%s'", count, options);
  p->built = !get("refuse", 0);
  return end(p->built ? 0 : BUILD_FAILURE);
}

result clGetProgramBuildInfo(program *p, device *d, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetProgramBuildInfo", "%x", name);
  return end(text("the capability is unknown", room, value, size));
}

result clReleaseProgram(program *p) { BEGIN("clReleaseProgram"); free(p->code), free(p); return end(0); }

kernel *clCreateKernel(program *p, const char *name, int *error) {
  MAKE("clCreateKernel", "%s", name);
  if (!p->built || !memmem(p->code, p->size, name, strlen(name) + 1)) {
    *error = INVALID_NAME;
    end(*error);
    return 0;
  }
  kernel *k = calloc(1, sizeof *k);
  k->of = p;
  snprintf(k->name, sizeof k->name, "%s", name);
  MADE(k);
}

result clReleaseKernel(kernel *k) { BEGIN("clReleaseKernel"); free(k); return end(0); }

result clGetKernelInfo(kernel *k, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetKernelInfo", "%x", name);
  int known = !strcmp(k->name, "add_one") ? 2 : !strcmp(k->name, "local") ? 2 : 0;
  return end(number(get("parameters", known), 4, room, value, size));
}

result clGetKernelWorkGroupInfo(kernel *k, device *d, unsigned name, size_t room, void *value, size_t *size) {
  BEGIN("clGetKernelWorkGroupInfo", "%x", name);
  uint64_t answered = name == 0x11b0 ? get("group", 1024) : name == 0x11b2 ? get("fixed", 0) : 32;
  return end(number(answered, 8, room, value, size));
}

result clSetKernelExecInfo(kernel *k, unsigned name, size_t length, const void *value) {
  BEGIN("clSetKernelExecInfo", "%x %zu", name, length);
  return end(0);
}

// Only one thread at a time sets arguments, from the first of them to the launch.
static result set(kernel *k, unsigned index, const void *value, size_t length) {
  if (k->is_setting && !pthread_equal(k->setter, pthread_self())) abort();
  k->is_setting = 1, k->setter = pthread_self();
  if (index >= 16) return INVALID_ARGUMENT;
  if (value) memcpy(&k->arguments[index], value, length < 8 ? length : 8);
  return 0;
}

result clSetKernelArg(kernel *k, unsigned index, size_t length, const void *value) {
  BEGIN("clSetKernelArg", "%u %zu%s", index, length, value ? "" : " local");
  return end(set(k, index, value, length));
}

result clSetKernelArgSVMPointer(kernel *k, unsigned index, const void *value) {
  BEGIN("clSetKernelArgSVMPointer", "%u", index);
  return end(set(k, index, &value, 8));
}

result clSetKernelArgMemPointerINTEL(kernel *k, unsigned index, const void *value) {
  BEGIN("clSetKernelArgMemPointerINTEL", "%u", index);
  return end(set(k, index, &value, 8));
}

#ifndef WITHOUT_LAUNCH
result clEnqueueNDRangeKernel(queue *q, kernel *k, unsigned dimensions, const size_t *offset, const size_t *global, const size_t *local,
                              unsigned count, event *const *events, event **made) {
  BEGIN("clEnqueueNDRangeKernel", "%s %zu %zu %zu, %zu %zu %zu", k->name, global[0], global[1], global[2], local[0], local[1], local[2]);
  if (k->of->of != q->of || dimensions != 3 || made) abort();
  k->is_setting = 0;
  run(k->name, k->arguments, global[0]);
  return end(0);
}
#endif

// ---- Functions of extensions.

void *clGetExtensionFunctionAddressForPlatform(platform *p, const char *name) {
  static const struct { const char *name; void *function; } known[] = {
      {"clCreateProgramWithILKHR", clCreateProgramWithILKHR}, {"clMemBlockingFreeINTEL", clMemBlockingFreeINTEL},
      {"clGetMemAllocInfoINTEL", clGetMemAllocInfoINTEL}, {"clSetKernelArgMemPointerINTEL", clSetKernelArgMemPointerINTEL},
      {"clEnqueueMemcpyINTEL", clEnqueueMemcpyINTEL}, {"clEnqueueMemFillINTEL", clEnqueueMemFillINTEL},
      {"clEnqueueMigrateMemINTEL", clEnqueueMigrateMemINTEL}, {"clHostMemAllocINTEL", clHostMemAllocINTEL},
      {"clDeviceMemAllocINTEL", clDeviceMemAllocINTEL}, {"clSharedMemAllocINTEL", clSharedMemAllocINTEL}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!strcmp(known[i].name, name) && !get(name, 0)) return known[i].function;
  return 0;
}
