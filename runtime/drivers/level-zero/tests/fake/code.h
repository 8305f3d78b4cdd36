// Modules and kernels of the stand-in. Its machine code is the SPIR-V after an eight-byte header
// with the driver version.

static const char *const header = "ZEBIN";

static int is_spirv(const uint32_t *words, size_t count) {
  if (count < 6 || words[0] != 0x07230203) return 0;
  unsigned last = 0;
  for (size_t at = 5; at < count; at += words[at] >> 16) {
    if (!(words[at] >> 16) || at + (words[at] >> 16) > count) return 0;
    last = words[at] & 0xffff;
  }
  return last == 56;
}

static result build(object **made, object *context, object *device, const void *code, size_t size) {
  uint32_t *words = malloc(size + 4);
  memcpy(words, code, size);
  if (size % 4 || !is_spirv(words, size / 4)) return BUILD_FAILURE;
  *made = make(MODULE, context);
  (*made)->device = device, (*made)->words = words, (*made)->word_count = size / 4;
  return 0;
}

result zeModuleCreate(object *context, object *device, const void *desc, object **made, object **log) {
  BEGIN("zeModuleCreate", "%s", GET(desc, uint32_t, 16) ? "native" : "spir-v");
  NEEDS(context, CONTEXT);
  NEEDS(device, GPU);
  TYPE(desc, 0x1b);
  const char *flags = GET(desc, const char *, 40);
  if (GET(desc, uint32_t, 16) ? flags != NULL : flags == NULL || strcmp(flags, "-cl-fp32-correctly-rounded-divide-sqrt"))
    return wrong(CALL, "other build flags");
  uint32_t native = GET(desc, uint32_t, 16), version = get("version", 0x01036bfa);
  size_t size = GET(desc, size_t, 24);
  const char *code = GET(desc, const char *, 32);
  if (log) {
    *log = make(BUILD_LOG, 0);
    snprintf((*log)->name, sizeof (*log)->name, "%s", get("refuse", 0) ? "error: undefined reference to `f`" : "");
  }
  if (get("refuse", 0)) return end(BUILD_FAILURE);
  if (!native) return end(build(made, context, device, code, size));
  if (size < 12 || memcmp(code, header, 5) || memcmp(code + 8, &version, 4)) return end(INVALID_BINARY);
  return end(build(made, context, device, code + 12, size - 12) ? INVALID_BINARY : 0);
}

result zeModuleDestroy(object *module) {
  BEGIN("zeModuleDestroy");
  NEEDS(module, MODULE);
  if (has_children(module)) return wrong(CALL, "the module still has kernels");
  module->alive = 0;
  return end(0);
}

result zeModuleGetNativeBinary(object *module, size_t *size, char *bytes) {
  BEGIN("zeModuleGetNativeBinary");
  NEEDS(module, MODULE);
  size_t whole = 12 + module->word_count * 4;
  if (bytes) {
    uint32_t version = get("version", 0x01036bfa);
    if (*size < whole) return wrong(CALL, "too little room");
    memset(bytes, 0, 12), memcpy(bytes, header, 5), memcpy(bytes + 8, &version, 4);
    memcpy(bytes + 12, module->words, whole - 12);
  }
  *size = whole;
  return end(0);
}

result zeModuleBuildLogGetString(object *log, size_t *size, char *text) {
  BEGIN("zeModuleBuildLogGetString");
  NEEDS(log, BUILD_LOG);
  if (text) snprintf(text, *size, "%s", log->name);
  *size = strlen(log->name) + 1;
  return end(0);
}

result zeModuleBuildLogDestroy(object *log) {
  BEGIN("zeModuleBuildLogDestroy");
  NEEDS(log, BUILD_LOG);
  log->alive = 0;
  return end(0);
}

// The first instruction at or after an index that has this opcode and this word at a position.
static const uint32_t *instruction(const object *m, size_t from, unsigned opcode, int place, uint32_t word) {
  for (size_t at = from; at < m->word_count; at += m->words[at] >> 16)
    if ((m->words[at] & 0xffff) == opcode && (place < 0 || m->words[at + place] == word)) return m->words + at;
  return 0;
}

// Reads the parameters of a function: integers and floats with their widths, pointers, and which of
// these point to local memory.
static void parameters(object *kernel, const object *m, uint32_t function) {
  const uint32_t *at = instruction(m, 5, 54, 2, function);
  for (at += at[0] >> 16; (at[0] & 0xffff) == 55; at += at[0] >> 16) {
    unsigned index = kernel->arguments++;
    const uint32_t *number = instruction(m, 5, 21, 1, at[1]), *real = instruction(m, 5, 22, 1, at[1]), *to = instruction(m, 5, 32, 1, at[1]);
    kernel->local[index] = to && to[2] == 4;
    kernel->sizes[index] = to ? 8 : (number ? number : real)[2] / 8;
  }
}

result zeKernelCreate(object *module, const void *desc, object **made) {
  const char *name = GET(desc, const char *, 24);
  BEGIN("zeKernelCreate", "%s", name);
  NEEDS(module, MODULE);
  TYPE(desc, 0x1d);
  const uint32_t *entry = instruction(module, 5, 15, -1, 0);
  if (!entry || strcmp((const char *)(entry + 3), name)) return end(INVALID_NAME);
  *made = make(KERNEL, module);
  snprintf((*made)->name, sizeof (*made)->name, "%s", name);
  parameters(*made, module, entry[2]);
  return end(0);
}

result zeKernelDestroy(object *kernel) {
  BEGIN("zeKernelDestroy", "%s", kernel->name);
  NEEDS(kernel, KERNEL);
  object *list = kernel->ran_in;
  if (list && list->alive && list->complete < kernel->ran_at) return wrong(CALL, "a list may still run the kernel");
  kernel->alive = 0;
  return end(0);
}

result zeKernelSetIndirectAccess(object *kernel, uint32_t flags) {
  BEGIN("zeKernelSetIndirectAccess", "%u", flags);
  NEEDS(kernel, KERNEL);
  return end(0);
}

result zeKernelGetProperties(object *kernel, void *p) {
  BEGIN("zeKernelGetProperties");
  NEEDS(kernel, KERNEL);
  TYPE(p, 0x1e);
  PUT(p, uint32_t, 16, kernel->arguments);
  void *most = (void *)chained(p, 0x10013);
  if (most) PUT(most, uint32_t, 16, (uint32_t)get("threads", 1024));
  return end(0);
}

// The largest size up to 256 that divides the range.
result zeKernelSuggestGroupSize(object *kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t *gx, uint32_t *gy, uint32_t *gz) {
  BEGIN("zeKernelSuggestGroupSize", "%u %u %u", x, y, z);
  NEEDS(kernel, KERNEL);
  for (*gx = x < 256 ? x : 256; x % *gx; --*gx) {}
  *gy = *gz = 1;
  return end(0);
}

result zeKernelSetGroupSize(object *kernel, uint32_t x, uint32_t y, uint32_t z) {
  BEGIN("zeKernelSetGroupSize", "%u %u %u", x, y, z);
  NEEDS(kernel, KERNEL);
  if (!x || !y || !z || x * y * z > (uint32_t)get("threads", 1024)) return end(INVALID_GROUP);
  kernel->group[0] = x, kernel->group[1] = y, kernel->group[2] = z;
  return end(0);
}

static result set_argument(object *kernel, uint32_t index, size_t size, const void *value) {
  BEGIN("zeKernelSetArgumentValue", "%u: %zu%s", index, size, value ? "" : " local");
  NEEDS(kernel, KERNEL);
  if (index >= kernel->arguments) return wrong("zeKernelSetArgumentValue", "an argument that the kernel lacks");
  if (kernel->local[index] != !value) return wrong("zeKernelSetArgumentValue", "local memory with a value, or an argument without");
  if (value && size != kernel->sizes[index]) return wrong("zeKernelSetArgumentValue", "an argument of another size");
  if (value) memcpy(&kernel->values[index], value, size);
  kernel->given[index] = 1;
  return end(0);
}

result zeKernelSetArgumentValue(object *kernel, uint32_t index, size_t size, const void *value) {
  if (!kernel) return NULL_HANDLE;
  result code = enter(kernel, CALL);
  return code ? code : leave(kernel, set_argument(kernel, index, size, value));
}

APPEND(zeCommandListAppendLaunchKernel, (object *list, object *kernel, const uint32_t *groups, object *signal, uint32_t count), 0, {
  NO_EVENTS;
  NEEDS(kernel, KERNEL);
  if (kernel->context != list->context) REFUSE("a kernel of another context");
  if (kernel->parent->device != list->device) REFUSE("a kernel of another device");
  if (!kernel->group[0]) REFUSE("a kernel without a group size");
  for (unsigned i = 0; i < kernel->arguments; i++)
    if (!kernel->given[i]) REFUSE("an argument is missing");
  kernel->ran_in = list;
  kernel->ran_at = list->appended;
  run(kernel->name, kernel->values, (uint64_t)groups[0] * kernel->group[0]);
}, "%s %u %u %u", kernel->name, groups[0], groups[1], groups[2])
result zeCommandListAppendLaunchKernel(object *list, object *kernel, const uint32_t *groups, object *signal, uint32_t count, object **waits) { ENTERED(zeCommandListAppendLaunchKernel, list, kernel, groups, signal, count); }
