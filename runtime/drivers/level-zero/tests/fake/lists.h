// Command lists and events of the stand-in.

result zeCommandListCreateImmediate(object *context, object *device, const void *desc, object **made) {
  BEGIN("zeCommandListCreateImmediate", "group %u flags %u mode %u", GET(desc, uint32_t, 16), GET(desc, uint32_t, 24), GET(desc, uint32_t, 28));
  NEEDS(context, CONTEXT);
  NEEDS(device, GPU);
  TYPE(desc, 0xe);
  if (GET(desc, uint32_t, 16) != 1) return wrong(CALL, "a group of queues that runs no kernels");
  if (GET(desc, uint32_t, 24) & 2 && get("api", API) < 0x10007) return end(INVALID_ENUMERATION);
  *made = make(LIST, context);
  (*made)->device = device, (*made)->in_order = (GET(desc, uint32_t, 24) >> 1) & 1;
  return end(0);
}

result zeCommandListDestroy(object *list) {
  BEGIN("zeCommandListDestroy");
  NEEDS(list, LIST);
  if (list->complete < list->appended) return wrong(CALL, "the list may still run");
  list->alive = 0;
  return end(0);
}

static result synchronize(object *list, uint64_t timeout) {
  if (!timeout && (get("hold", 0) || get("busy", 0))) return end(NOT_READY);
  list->complete = list->appended;
  return end(0);
}

#ifndef OLD
result zeCommandListHostSynchronize(object *list, uint64_t timeout) {
  BEGIN("zeCommandListHostSynchronize", "%s", timeout ? "wait" : "ask");
  NEEDS(list, LIST);
  if (get("api", API) < 0x10006) return end(UNSUPPORTED_FEATURE);
  return synchronize(list, timeout);
}

result zeCommandListGetContextHandle(object *list, object **context) { BEGIN("zeCommandListGetContextHandle"); NEEDS(list, LIST); *context = list->context; return end(0); }
result zeCommandListGetDeviceHandle(object *list, object **device) { BEGIN("zeCommandListGetDeviceHandle"); NEEDS(list, LIST); *device = list->device; return end(0); }
result zeCommandListIsImmediate(object *list, uint8_t *immediate) { BEGIN("zeCommandListIsImmediate"); NEEDS(list, LIST); *immediate = get("immediate", 1); return end(0); }
result zeCommandListImmediateGetFlags(object *list, uint32_t *flags) { BEGIN("zeCommandListImmediateGetFlags"); NEEDS(list, LIST); *flags = list->in_order << 1; return end(0); }
#endif

// Starts a call that appends to a list. Two concurrent calls are a violation.
static result enter(object *list, const char *call) {
  if (!list) return NULL_HANDLE;
  if (!__atomic_exchange_n(&list->inside, 1, __ATOMIC_ACQ_REL)) {
    if (get("slow", 0)) usleep(get("slow", 0));
    return 0;
  }
  pthread_mutex_lock(&mutex);
  return wrong(call, "two threads append to one list");
}

static result leave(object *list, result code) {
  __atomic_store_n(&list->inside, 0, __ATOMIC_RELEASE);
  return code;
}

// Finishes such a call's checks and assigns its position in the list.
static result place(object *list, const char *call, int is_barrier) {
  if (!is_alive(list, LIST)) return wrong(call, "a handle that is not a live list"), 1;
  if (!list->in_order && !is_barrier && list->unordered) return wrong(call, "no barrier before the command"), 1;
  list->unordered = !is_barrier;
  list->appended++;
  return 0;
}

static result signal_event(object *event, object *list, const char *call) {
  if (!is_alive(event, EVENT)) return wrong(call, "a handle that is not a live event"), 1;
  if (event->context != list->context) return wrong(call, "an event of another context"), 1;
  if (event->signalled) return wrong(call, "an event that is signalled already"), 1;
  event->signalled = 1, event->signal_list = list, event->signal_at = list->appended;
  return 0;
}

// Defines a function that appends: its log line, then a body that runs with `list` locked.
#define APPEND(name, parameters, is_barrier, body, ...)                                                                \
  static result inner_##name parameters {                                                                              \
    BEGIN(#name, __VA_ARGS__);                                                                                         \
    if (place(list, #name, is_barrier)) return INVALID_ARGUMENT;                                                       \
    body;                                                                                                              \
    return end(0);                                                                                                     \
  }
#define ENTERED(name, ...)                                                                                             \
  result code = enter(list, #name);                                                                                    \
  return code ? code : leave(list, inner_##name(__VA_ARGS__))
#define REFUSE(text) return wrong(CALL, text)
#define NO_EVENTS do { if (signal || count) REFUSE("events of a kind that this driver does not use"); } while (0)

APPEND(zeCommandListAppendBarrier, (object *list, object *signal, uint32_t count), 1, { NO_EVENTS; })
result zeCommandListAppendBarrier(object *list, object *signal, uint32_t count, object **waits) { ENTERED(zeCommandListAppendBarrier, list, signal, count); }

APPEND(zeCommandListAppendMemoryCopy, (object *list, char *to, const char *from, size_t size, object *signal, uint32_t count), 0, {
  NO_EVENTS;
  if (to < from + size && from < to + size) REFUSE("the ranges overlap");
  memcpy(to, from, size);
}, "%zu", size)
result zeCommandListAppendMemoryCopy(object *list, void *to, const void *from, size_t size, object *signal, uint32_t count, object **waits) { ENTERED(zeCommandListAppendMemoryCopy, list, to, from, size, signal, count); }

APPEND(zeCommandListAppendMemoryFill, (object *list, char *to, const void *pattern, size_t length, size_t size, object *signal, uint32_t count), 0, {
  NO_EVENTS;
  if (!length || length & (length - 1) || length > 128 || size % length) REFUSE("a pattern of this size");
  if ((pointer)to % length) REFUSE("a place that is not aligned to the pattern");
  for (size_t i = 0; i < size; i += length) memcpy(to + i, pattern, length);
}, "%zu x %zu", length, length ? size / length : 0)
result zeCommandListAppendMemoryFill(object *list, void *to, const void *pattern, size_t length, size_t size, object *signal, uint32_t count, object **waits) { ENTERED(zeCommandListAppendMemoryFill, list, to, pattern, length, size, signal, count); }

typedef struct region { uint32_t x, y, z, width, height, depth; } region;

APPEND(zeCommandListAppendMemoryCopyRegion, (object *list, char *to, const region *a, uint32_t to_pitch, const char *from, const region *b, uint32_t from_pitch, object *signal, uint32_t count), 0, {
  NO_EVENTS;
  if (memcmp(a, b, sizeof *a) || a->x || a->y || a->z || a->depth) REFUSE("regions that are not alike");
  if (to_pitch < a->width || from_pitch < a->width) REFUSE("a pitch that is too small");
  for (size_t row = 0; row < a->height; row++) memcpy(to + row * to_pitch, from + row * from_pitch, a->width);
}, "%u -> %u, %u x %u", from_pitch, to_pitch, a->width, a->height)
result zeCommandListAppendMemoryCopyRegion(object *list, void *to, const region *a, uint32_t to_pitch, uint32_t to_slice, const void *from, const region *b, uint32_t from_pitch, uint32_t from_slice, object *signal, uint32_t count, object **waits) { ENTERED(zeCommandListAppendMemoryCopyRegion, list, to, a, to_pitch, from, b, from_pitch, signal, count); }

#define IN_SHARED do { allocation *a = find(p); if (!a || a->kind != SHARED || p + size > a->start + a->size) REFUSE("memory that is not shared"); } while (0)

APPEND(zeCommandListAppendMemoryPrefetch, (object *list, pointer p, size_t size), 0, { IN_SHARED; }, "%zu", size)
result zeCommandListAppendMemoryPrefetch(object *list, pointer p, size_t size) { ENTERED(zeCommandListAppendMemoryPrefetch, list, p, size); }

APPEND(zeCommandListAppendMemAdvise, (object *list, object *device, pointer p, size_t size, uint32_t advice), 0, {
  IN_SHARED;
  NEEDS(device, GPU);
  if (advice > 3) REFUSE("advice that old drivers do not know");
}, "%zu %u", size, advice)
result zeCommandListAppendMemAdvise(object *list, object *device, pointer p, size_t size, uint32_t advice) { ENTERED(zeCommandListAppendMemAdvise, list, device, p, size, advice); }

APPEND(zeCommandListAppendSignalEvent, (object *list, object *event), 0, {
  if (signal_event(event, list, CALL)) return INVALID_ARGUMENT;
}, "event %d", event->number)
result zeCommandListAppendSignalEvent(object *list, object *event) { ENTERED(zeCommandListAppendSignalEvent, list, event); }

APPEND(zeCommandListAppendWriteGlobalTimestamp, (object *list, uint64_t *time, object *event, uint32_t count), 0, {
  allocation *a = find((pointer)time);
  if (!a || a->kind != HOST) REFUSE("a place for the time that the device does not reach");
  *time = event_time() / 80 & 0xffffffff;
  if (signal_event(event, list, CALL)) return INVALID_ARGUMENT;
}, "event %d", event->number)
result zeCommandListAppendWriteGlobalTimestamp(object *list, uint64_t *time, object *event, uint32_t count, object **waits) { ENTERED(zeCommandListAppendWriteGlobalTimestamp, list, time, event, count); }

APPEND(zeCommandListAppendWaitOnEvents, (object *list, uint32_t count, object **events), 0, {
  if (count != 1) REFUSE("another number of events than this driver uses");
  NEEDS(events[0], EVENT);
  if (events[0]->context != list->context) REFUSE("an event of another context");
  if (!events[0]->signalled) REFUSE("an event that nothing signals");
  events[0]->wait_list = list;
  events[0]->wait_at = list->appended;
}, "event %d", events[0]->number)
result zeCommandListAppendWaitOnEvents(object *list, uint32_t count, object **events) { ENTERED(zeCommandListAppendWaitOnEvents, list, count, events); }

// ---- Events.

result zeEventPoolCreate(object *context, const void *desc, uint32_t count, object **devices, object **made) {
  BEGIN("zeEventPoolCreate", "flags %u", GET(desc, uint32_t, 16));
  NEEDS(context, CONTEXT);
  TYPE(desc, 0x10);
  if (count != device_count()) return wrong(CALL, "a pool of some devices");
  for (unsigned i = 0; i < count; i++) NEEDS(devices[i], GPU);
  *made = make(POOL, context);
  (*made)->count = GET(desc, uint32_t, 20);
  return (*made)->count <= 64 ? end(0) : wrong(CALL, "a pool of so many events");
}

result zeEventPoolDestroy(object *pool) {
  BEGIN("zeEventPoolDestroy");
  NEEDS(pool, POOL);
  if (has_children(pool)) return wrong(CALL, "the pool still has events");
  pool->alive = 0;
  return end(0);
}

result zeEventCreate(object *pool, const void *desc, object **made) {
  BEGIN("zeEventCreate", "%u", GET(desc, uint32_t, 16));
  NEEDS(pool, POOL);
  TYPE(desc, 0x11);
  unsigned index = GET(desc, uint32_t, 16);
  if (index >= pool->count || pool->used[index]) return wrong(CALL, "an index that the pool does not have free");
  *made = make(EVENT, pool);
  pool->used[index] = 1;
  return end(0);
}

result zeEventDestroy(object *event) {
  BEGIN("zeEventDestroy", "event %d", event->number);
  NEEDS(event, EVENT);
  event->alive = 0;
  return end(0);
}

// The host has seen an event signalled, and therefore that its list got there.
static void seen(object *event) {
  object *list = event->signal_list;
  if (list && list->complete < event->signal_at) list->complete = event->signal_at;
}

result zeEventQueryStatus(object *event) {
  BEGIN("zeEventQueryStatus", "event %d", event->number);
  NEEDS(event, EVENT);
  if (get("hold", 0) || !event->signalled) return end(NOT_READY);
  seen(event);
  return end(0);
}

result zeEventHostSynchronize(object *event, uint64_t timeout) {
  BEGIN("zeEventHostSynchronize", "event %d", event->number);
  NEEDS(event, EVENT);
  if (!event->signalled) return wrong(CALL, "nothing signals the event");
  seen(event);
  return end(0);
}

result zeEventHostReset(object *event) {
  BEGIN("zeEventHostReset", "event %d", event->number);
  NEEDS(event, EVENT);
  object *list = event->signal_list, *waits = event->wait_list;
  if (list && list->alive && list->complete < event->signal_at) return wrong(CALL, "an event whose signal may still come");
  if (waits && waits->alive && waits->complete < event->wait_at) return wrong(CALL, "an event that a list may still wait for");
  event->signalled = 0, event->signal_list = event->wait_list = 0;
  return end(0);
}
