// A Vulkan loader that makes a GPU of a CPU: kernels have other addresses than the host.
//
// It passes all calls to the installed loader, but memory that the host can access is a file, which
// is mapped twice: where the host gets it, and where kernels have it. The host may map it there as
// well (VK_EXT_map_memory_placed). The devices' other memory is not visible to the host.
//
// Mapping in whole units is demanded as the specification does: a violation fails. stand_in_next()
// is the address that kernels have for the next such memory.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SUCCESS = 0, INCOMPLETE = 5, MAP_FAILURE = -5 };
enum { ALLOCATE_INFO = 5, DEVICE_INFO = 3, IMPORT_INFO = 1000178000, PLACED_FEATURES = 1000272000,
       PLACED_PROPERTIES = 1000272001, PLACED_INFO = 1000272002 };
enum { IMPORTED_ALLOCATION = 0x80, DISCRETE_GPU = 2, PLACED = 1 };
enum { DEVICE_LOCAL = 1, VISIBLE = 2, COHERENT = 4, CACHED = 8 };
// Unit of mappings.
#define UNIT 65536ul
#define EXTENSIONS 2
static const char *const extensions[EXTENSIONS] = {"VK_KHR_map_memory2", "VK_EXT_map_memory_placed"};

// The beginning of each structure in a chain.
typedef struct chain {
  uint32_t type;
  struct chain *next;
} chain;
typedef struct extension {
  char name[256];
  uint32_t version;
} extension;
typedef struct placed_features {
  chain head;
  uint32_t placed, range_placed, unmap_reserve;
} placed_features;
typedef struct placed_properties {
  chain head;
  uint64_t alignment;
} placed_properties;
typedef struct properties {
  chain head;
  uint32_t api, driver, vendor, device, kind;
} properties;
typedef struct memory_properties {
  uint32_t count;
  struct {
    uint32_t flags, heap;
  } types[32];
} memory_properties;
typedef struct device_info {
  chain head;
  uint32_t flags, queues;
  void *queue_infos;
  uint32_t layers;
  void *layer_names;
  uint32_t extension_count;
  const char *const *extension_names;
  void *features;
} device_info;
typedef struct requirements {
  uint64_t size, alignment;
  uint32_t types;
} requirements;
typedef struct allocate_info {
  chain head;
  uint64_t size;
  uint32_t type;
} allocate_info;
typedef struct import_info {
  chain head;
  uint32_t kind;
  void *start;
} import_info;
typedef struct address_info {
  chain head;
  uint64_t buffer;
} address_info;
typedef struct map_info {
  chain head;
  uint32_t flags;
  uint64_t memory, offset, size;
} map_info;
typedef struct placed_info {
  chain head;
  void *address;
} placed_info;

// Memory that the host can access.
typedef struct shared {
  struct shared *next;
  uint64_t memory, buffer, size, offset;
  int file, is_shown;
  void *host, *kernels;
} shared;

typedef void (*function)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static shared *all;
// Where kernels have the next memory. Stand-ins of one process have ranges of their own.
static uint64_t next;
static function (*of_instance)(void *, const char *);
static function (*of_device)(void *, const char *);
static void *instance, *device;

__attribute__((constructor)) static void start(void) { next = 0x200000000000 + (((uint64_t)&next & 0xfffff000) << 12); }

uint64_t stand_in_next(void) { return next; }

static function real(const char *name) { return of_instance(instance, name); }
static function real_of_device(const char *name) { return of_device(device, name); }

static shared *find(uint64_t memory, uint64_t buffer) {
  pthread_mutex_lock(&lock);
  shared *found = all;
  while (found && (memory ? found->memory != memory : found->buffer != buffer))
    found = found->next;
  pthread_mutex_unlock(&lock);
  return found;
}

static chain *in_chain(const chain *head, uint32_t type) {
  chain *found = head->next;
  while (found && found->type != type)
    found = found->next;
  return found;
}

// ---- Of the instance.

static int create_instance(const void *info, const void *allocator, void **made) {
  int result = ((int (*)(const void *, const void *, void **))of_instance(NULL, "vkCreateInstance"))(info, allocator, made);
  instance = *made;
  return result;
}

static int enumerate_extensions(void *physical, const char *layer, uint32_t *count, extension *found) {
  int (*ask)(void *, const char *, uint32_t *, extension *) = (void *)real("vkEnumerateDeviceExtensionProperties");
  uint32_t own = 0, room = *count;
  ask(physical, layer, &own, NULL);
  *count = own + EXTENSIONS;
  if (!found)
    return SUCCESS;
  if (room < *count)
    return INCOMPLETE;
  ask(physical, layer, &own, found);
  for (int i = 0; i < EXTENSIONS; ++i)
    strcpy(found[own + i].name, extensions[i]);
  return SUCCESS;
}

static void get_features(void *physical, chain *features) {
  ((void (*)(void *, chain *))real("vkGetPhysicalDeviceFeatures2"))(physical, features);
  placed_features *placed = (placed_features *)in_chain(features, PLACED_FEATURES);
  if (placed)
    placed->placed = 1;
}

static void get_properties(void *physical, properties *properties) {
  ((void (*)(void *, void *))real("vkGetPhysicalDeviceProperties2"))(physical, properties);
  properties->kind = DISCRETE_GPU;
  placed_properties *placed = (placed_properties *)in_chain(&properties->head, PLACED_PROPERTIES);
  if (placed)
    placed->alignment = UNIT;
}

static void get_memory_properties(void *physical, memory_properties *found) {
  ((void (*)(void *, void *))real("vkGetPhysicalDeviceMemoryProperties"))(physical, found);
  found->count = 2;
  found->types[0].flags = DEVICE_LOCAL;
  found->types[1].flags = VISIBLE | COHERENT | CACHED;
  found->types[1].heap = found->types[0].heap;
}

static int create_device(void *physical, const device_info *info, const void *allocator, void **made) {
  const char *names[64];
  uint32_t count = 0;
  for (uint32_t i = 0; i < info->extension_count; ++i)
    if (strcmp(info->extension_names[i], extensions[0]) && strcmp(info->extension_names[i], extensions[1]))
      names[count++] = info->extension_names[i];
  names[count++] = "VK_EXT_external_memory_host";
  // The feature that the installed loader does not know is the last that was chained: the first.
  device_info changed = *info;
  if (changed.head.next && changed.head.next->type == PLACED_FEATURES)
    changed.head.next = changed.head.next->next;
  changed.extension_count = count;
  changed.extension_names = names;
  int (*create)(void *, const void *, const void *, void **) = (void *)real("vkCreateDevice");
  int result = create(physical, &changed, allocator, made);
  device = *made;
  of_device = (void *)real("vkGetDeviceProcAddr");
  return result;
}

// ---- Of the device.

static void get_requirements(void *device, uint64_t buffer, requirements *found) {
  ((void (*)(void *, uint64_t, void *))real_of_device("vkGetBufferMemoryRequirements"))(device, buffer, found);
  found->types = 3;
}

static int allocate(void *device, const allocate_info *info, const void *allocator, uint64_t *memory) {
  int (*call)(void *, const void *, const void *, uint64_t *) = (void *)real_of_device("vkAllocateMemory");
  if (info->type == 0)
    return call(device, info, allocator, memory);
  if (info->size % UNIT)
    return MAP_FAILURE;
  shared *made = calloc(1, sizeof *made);
  made->size = info->size;
  made->file = memfd_create("memory", MFD_CLOEXEC);
  ftruncate(made->file, made->size);
  made->host = mmap(NULL, made->size, PROT_READ | PROT_WRITE, MAP_SHARED, made->file, 0);
  import_info import = {{IMPORT_INFO, info->head.next}, IMPORTED_ALLOCATION, made->host};
  allocate_info changed = {{ALLOCATE_INFO, &import.head}, made->size, 0};
  int result = call(device, &changed, allocator, memory);
  pthread_mutex_lock(&lock);
  made->memory = *memory;
  made->kernels = (void *)next;
  next += made->size;
  made->next = all;
  all = made;
  pthread_mutex_unlock(&lock);
  return result;
}

static void release(void *device, uint64_t memory, const void *allocator) {
  ((void (*)(void *, uint64_t, const void *))real_of_device("vkFreeMemory"))(device, memory, allocator);
  pthread_mutex_lock(&lock);
  for (shared **place = &all; *place; place = &(*place)->next)
    if ((*place)->memory == memory) {
      shared *found = *place;
      *place = found->next;
      munmap(found->host, found->size);
      if (found->is_shown)
        munmap(found->kernels, found->size);
      close(found->file);
      free(found);
      break;
    }
  pthread_mutex_unlock(&lock);
}

static int bind(void *device, uint64_t buffer, uint64_t memory, uint64_t offset) {
  shared *found = find(memory, 0);
  if (found) {
    found->buffer = buffer;
    found->offset = offset;
  }
  int (*call)(void *, uint64_t, uint64_t, uint64_t) = (void *)real_of_device("vkBindBufferMemory");
  return call(device, buffer, memory, offset);
}

static uint64_t get_address(void *device, const address_info *info) {
  shared *found = find(0, info->buffer);
  if (found)
    return (uint64_t)found->kernels + found->offset;
  return ((uint64_t(*)(void *, const void *))real_of_device("vkGetBufferDeviceAddress"))(device, info);
}

// Lets kernels access the memory where they have it.
static int show(shared *memory, int flags) {
  void *at = mmap(memory->kernels, memory->size, PROT_READ | PROT_WRITE, MAP_SHARED | flags, memory->file, 0);
  memory->is_shown = at == memory->kernels;
  return memory->is_shown ? SUCCESS : MAP_FAILURE;
}

static int map(void *device, uint64_t memory, uint64_t offset, uint64_t size, uint32_t flags, void **at) {
  shared *found = find(memory, 0);
  if (!found || flags)
    return MAP_FAILURE;
  *at = (char *)found->host + offset;
  return show(found, MAP_FIXED_NOREPLACE);
}

static int map2(void *device, const map_info *info, void **at) {
  shared *found = find(info->memory, 0);
  placed_info *placed = (placed_info *)in_chain(&info->head, PLACED_INFO);
  if (!found || info->flags != PLACED || info->offset || info->size != ~0ul || !placed || (uint64_t)placed->address % UNIT)
    return MAP_FAILURE;
  *at = placed->address;
  return placed->address == found->kernels ? show(found, MAP_FIXED) : MAP_FAILURE;
}

// ---- The functions by their names.

typedef struct named {
  const char *name;
  void *function;
} named;

static function find_device(void *device, const char *name);
static function find_instance(void *instance, const char *name);

static const named own[] = {
    {"vkGetInstanceProcAddr", find_instance},
    {"vkGetDeviceProcAddr", find_device},
    {"vkCreateInstance", create_instance},
    {"vkEnumerateDeviceExtensionProperties", enumerate_extensions},
    {"vkGetPhysicalDeviceFeatures2", get_features},
    {"vkGetPhysicalDeviceProperties2", get_properties},
    {"vkGetPhysicalDeviceMemoryProperties", get_memory_properties},
    {"vkCreateDevice", create_device},
    {"vkGetBufferMemoryRequirements", get_requirements},
    {"vkAllocateMemory", allocate},
    {"vkFreeMemory", release},
    {"vkBindBufferMemory", bind},
    {"vkGetBufferDeviceAddress", get_address},
    {"vkMapMemory", map},
    {"vkMapMemory2KHR", map2},
};

static function find_own(const char *name) {
  for (unsigned i = 0; i < sizeof own / sizeof *own; ++i)
    if (!strcmp(own[i].name, name))
      return own[i].function;
  return NULL;
}

static function find_device(void *device, const char *name) {
  function found = find_own(name);
  return found ? found : of_device(device, name);
}

static function find_instance(void *instance, const char *name) {
  if (!of_instance) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    of_instance = library ? dlsym(library, "vkGetInstanceProcAddr") : NULL;
  }
  function found = find_own(name);
  return found || !of_instance ? found : of_instance(instance, name);
}

function vkGetInstanceProcAddr(void *instance, const char *name) { return find_instance(instance, name); }
