// Common part of the stand-ins for vendor libraries: controls, a log, memory and the kernel of the
// conformance suite.
//
// Commands run when they are submitted, on host memory. Each call adds a line to a log, and any
// call can be made to fail. A stand-in defines `is_quiet`, which names the functions that still
// work when all are to fail.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef unsigned int result;
typedef uint64_t pointer;
typedef struct allocation { pointer start; size_t size; int kind, device; struct allocation *next; } allocation;
typedef struct failure { char name[64]; result code; int after, times; struct failure *next; } failure;
typedef struct setting { char name[64]; int64_t value; struct setting *next; } setting;

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static allocation *allocations;
static failure *failures;
static setting *settings;
static char *log_text;
static size_t log_size, log_room;
static int numbers;

static int is_quiet(const char *name);

// ---- Controls.

static int64_t get(const char *name, int64_t otherwise) {
  for (setting *s = settings; s; s = s->next)
    if (!strcmp(s->name, name)) return s->value;
  return otherwise;
}

void fake_set(const char *name, int64_t value) {
  pthread_mutex_lock(&mutex);
  setting *s = calloc(1, sizeof *s);
  snprintf(s->name, sizeof s->name, "%s", name);
  s->value = value;
  s->next = settings;
  settings = s;
  pthread_mutex_unlock(&mutex);
}

// Makes a function fail `times` times after `after` successful calls.
void fake_fail(const char *name, unsigned code, int after, int times) {
  pthread_mutex_lock(&mutex);
  failure *f = calloc(1, sizeof *f);
  snprintf(f->name, sizeof f->name, "%s", name);
  f->code = code, f->after = after, f->times = times, f->next = failures;
  failures = f;
  pthread_mutex_unlock(&mutex);
}

// Copies the log into a buffer and clears it. Returns its length.
size_t fake_take_log(char *buffer, size_t room) {
  pthread_mutex_lock(&mutex);
  size_t size = log_size < room ? log_size : room;
  if (size) memcpy(buffer, log_text, size);
  log_size = 0;
  pthread_mutex_unlock(&mutex);
  return size;
}

static void note(const char *format, va_list list) {
  char line[512];
  int length = vsnprintf(line, sizeof line - 1, format, list);
  line[length++] = '\n';
  while (log_size + length > log_room) log_text = realloc(log_text, log_room = log_room * 2 + 4096);
  memcpy(log_text + log_size, line, length);
  log_size += length;
}

// Starts a call. Returns the error code that the call must fail with, or 0.
static result begin(const char *name, const char *format, ...) {
  pthread_mutex_lock(&mutex);
  va_list list;
  va_start(list, format);
  if (get("log", 1)) note(format, list);
  va_end(list);
  for (failure *f = failures; f; f = f->next)
    if (!strcmp(f->name, name) || (!strcmp(f->name, "*") && !is_quiet(name))) {
      if (f->after-- > 0) continue;
      if (f->times-- > 0) return f->code;
    }
  return 0;
}

static __thread result last_error;

static result end(result code) {
  pthread_mutex_unlock(&mutex);
  last_error = code;
  return code;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

// The time of an event: the clock, or with "tick" that much after the previous event, starting at
// "time".
static uint64_t event_time(void) {
  static uint64_t ticks;
  return get("tick", 0) ? get("time", 0) + ++ticks * get("tick", 0) : now();
}

// ---- Memory.

static allocation *find(pointer p) {
  for (allocation *a = allocations; a; a = a->next)
    if (p >= a->start && p < a->start + a->size) return a;
  return 0;
}

static int take(pointer *p, size_t size, int kind, int device) {
  if (size > (size_t)get("memory", 1ll << 32)) return 0;
  allocation *a = calloc(1, sizeof *a);
  a->start = (pointer)aligned_alloc(256, (size + 255) / 256 * 256), a->size = size, a->kind = kind, a->next = allocations;
  a->device = device;
  allocations = a;
  *p = a->start;
  return 1;
}

static int give_back(pointer p) {
  for (allocation **a = &allocations; *a; a = &(*a)->next)
    if ((*a)->start == p) {
      allocation *gone = *a;
      *a = gone->next;
      free((void *)gone->start), free(gone);
      return 1;
    }
  return 0;
}

// Memory of the program that a library registers: host memory that is not the library's to free.
enum { ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };
static allocation *registered;

static int overlaps(const allocation *list, pointer p, size_t size) {
  for (; list; list = list->next)
    if (p < list->start + list->size && list->start < p + size) return 1;
  return 0;
}

static result enroll(pointer p, size_t size, int device) {
  if (overlaps(registered, p, size) || overlaps(allocations, p, size)) return ALREADY_REGISTERED;
  allocation *a = calloc(1, sizeof *a);
  a->start = p, a->size = size, a->kind = 1, a->device = device, a->next = registered;
  registered = a;
  return 0;
}

static result dismiss(pointer p) {
  for (allocation **a = &registered; *a; a = &(*a)->next)
    if ((*a)->start == p) {
      allocation *gone = *a;
      *a = gone->next;
      free(gone);
      return 0;
    }
  return NOT_REGISTERED;
}

// ---- Code.

static void say(char *log, size_t size, const char *text) {
  if (log && size) snprintf(log, size, "%s", text);
}

// Runs a kernel in at most `most` work-items. All kernels but the conformance suite's do nothing.
static void run(const char *name, const void *arguments, uint64_t most) {
  if (strcmp(name, "add_one")) return;
  uint64_t *data = ((uint64_t *const *)arguments)[0], items = ((const uint64_t *)arguments)[1];
  for (uint64_t i = 0; i < items && i < most; i++) data[i]++;
}
