/* Calls every function of the header from C, rightly and wrongly, on the first device, which may be any. The environment must name no translator. */
#include <sinter/jit.h>
#include <sinter/sinter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                                 \
  do {                                                                                                   \
    if (!(condition)) {                                                                                  \
      fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition, sinter_last_error());          \
      exit(1);                                                                                           \
    }                                                                                                    \
  } while (0)
#define OK(call) CHECK((call) == SINTER_SUCCESS)
#define INVALID(call) CHECK((call) == SINTER_ERROR_INVALID_ARGUMENT)

static const char payload[] =
    "object-id = 0000000000000000000000000000000000000000000000000000000000000000\n"
    "generator = test\n"
    "{.images\n"
    "  {.image\n"
    "    variant = global-module\n"
    "    format = llvm-ir\n"
    "    {.__binary\n"
    "      start = 0\n"
    "      size = 2\n"
    "    }.__binary\n"
    "  }.image\n"
    "}.images\n"
    "{.kernels\n"
    "  {.kernel\n"
    "    {.image-providers\n"
    "      {.image\n"
    "      }.image\n"
    "    }.image-providers\n"
    "  }.kernel\n"
    "}.kernels\n"
    "__acpp_hcf_binary_appendixBC";

/* As they were before there were tables of images. */
static sinter_container container = {
    offsetof(sinter_container, images), SINTER_ABI_VERSION, payload, sizeof(payload) - 1, {0}, NULL, 0, 0, 0,
};
static const sinter_parameter parameters[] = {{0, 8, 0, 0}};
static sinter_kernel kernel = {
    offsetof(sinter_kernel, image), 1, &container, "kernel", parameters, 8, {1}, NULL, {0, 0, 0}, 0, 0, 0, 0, 0, 0, 0,
};
static const sinter_launch launch = {sizeof(sinter_launch), 1, {16, 1, 1}, {0, 0, 0}, 0, 0, 0, NULL};

static void library(void) {
  CHECK(sinter_abi_version() == SINTER_ABI_VERSION);
  CHECK(strchr(sinter_version(), '.') != NULL);
  CHECK(strcmp(sinter_status_name(SINTER_ERROR_KERNEL), "SINTER_ERROR_KERNEL") == 0);
  CHECK(sinter_status_name(-7) != NULL && sinter_status_name(1000) != NULL);
  CHECK(strcmp(sinter_last_error(), "") == 0);
}

static size_t required_size(sinter_device_info what) {
  size_t required = 0;
  OK(sinter_device_get_info(0, what, NULL, 0, &required));
  return required;
}

static void devices(void) {
  uint32_t count = 0, units = 0;
  size_t required = 0;
  uint64_t sizes[3];
  char name[256], small[1];
  INVALID(sinter_device_count(NULL));
  CHECK(strstr(sinter_last_error(), "count") != NULL);
  OK(sinter_device_count(&count));
  CHECK(count >= 1);
  OK(sinter_device_get_info(0, SINTER_DEVICE_NAME, NULL, 0, &required));
  CHECK(required >= 2 && required <= sizeof(name));
  OK(sinter_device_get_info(0, SINTER_DEVICE_NAME, name, sizeof(name), NULL));
  CHECK(strlen(name) + 1 == required);
  INVALID(sinter_device_get_info(0, SINTER_DEVICE_NAME, small, sizeof(small), &required));
  OK(sinter_device_get_info(0, SINTER_DEVICE_DRIVER_NAME, name, sizeof(name), NULL));
  CHECK(strlen(name) + 1 == required_size(SINTER_DEVICE_DRIVER_NAME) && strlen(name) >= 1);
  OK(sinter_device_get_info(0, SINTER_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof(units), &required));
  CHECK(units >= 1 && required == sizeof(units));
  OK(sinter_device_get_info(0, SINTER_DEVICE_MAX_WORK_ITEM_SIZES, sizes, sizeof(sizes), NULL));
  CHECK(sizes[0] >= 1);
  for (int what = SINTER_DEVICE_NAME; what <= SINTER_DEVICE_ASPECTS; what++)
    OK(sinter_device_get_info(0, (sinter_device_info)what, NULL, 0, &required));
  INVALID(sinter_device_get_info(0, (sinter_device_info)22, NULL, 0, &required));
  INVALID(sinter_device_get_info(0, (sinter_device_info)-1, NULL, 0, &required));
  CHECK(sinter_device_get_info(count, SINTER_DEVICE_NAME, NULL, 0, &required) == SINTER_ERROR_NO_DEVICE);
}

static void nodes_of_the_host(uint32_t units) {
  uint32_t nodes = 0, part = 0, again = 0, value = 0;
  OK(sinter_device_get_info(0, SINTER_DEVICE_NUMA_NODES, &nodes, sizeof(nodes), NULL));
  INVALID(sinter_device_take_node(0, 0, 0, NULL));
  CHECK(sinter_device_take_node(0, nodes, 0, &part) != SINTER_SUCCESS);
  for (uint32_t node = 0; node < nodes; ++node) {
    OK(sinter_device_take_node(0, node, 3, &part));
    OK(sinter_device_take_node(0, node, 3, &again));
    CHECK(part == again && part > 0);
    OK(sinter_device_get_info(part, SINTER_DEVICE_MAX_COMPUTE_UNITS, &value, sizeof(value), NULL));
    CHECK(value > 0 && value <= units);
    OK(sinter_device_get_info(part, SINTER_DEVICE_NUMA_NODES, &value, sizeof(value), NULL));
    CHECK(value == 0 && sinter_device_take_node(part, 0, 0, &again) == SINTER_ERROR_UNSUPPORTED);
  }
}

static void divided_devices(void) {
  uint32_t units = 0, part = 0, again = 0, value = 0;
  char driver[64];
  sinter_queue *queue = NULL;
  OK(sinter_device_get_info(0, SINTER_DEVICE_PARENT, &value, sizeof(value), NULL));
  CHECK(value == UINT32_MAX);
  OK(sinter_device_get_info(0, SINTER_DEVICE_PARTITION, &value, sizeof(value), NULL));
  CHECK(value == 0);
  OK(sinter_device_get_info(0, SINTER_DEVICE_MAX_COMPUTE_UNITS, &units, sizeof(units), NULL));
  OK(sinter_device_get_info(0, SINTER_DEVICE_DRIVER_NAME, driver, sizeof(driver), NULL));
  INVALID(sinter_device_divide(0, 0, 1, 0, NULL));
  INVALID(sinter_device_divide(0, 0, 0, 0, &part));
  INVALID(sinter_device_divide(0, 1, units, 0, &part));
  INVALID(sinter_device_divide(0, UINT32_MAX, 2, 0, &part));
  CHECK(sinter_device_divide(9999, 0, 1, 0, &part) == SINTER_ERROR_NO_DEVICE);
  if (strcmp(driver, "host") != 0) {
    CHECK(sinter_device_divide(0, 0, 1, 0, &part) == SINTER_ERROR_UNSUPPORTED);
    CHECK(sinter_device_take_node(0, 0, 0, &part) == SINTER_ERROR_UNSUPPORTED);
    return;
  }
  OK(sinter_device_divide(0, 0, 1, 7, &part));
  OK(sinter_device_divide(0, 0, 1, 7, &again));
  CHECK(part == again && part > 0);
  OK(sinter_device_get_info(part, SINTER_DEVICE_PARENT, &value, sizeof(value), NULL));
  CHECK(value == 0);
  OK(sinter_device_get_info(part, SINTER_DEVICE_PARTITION, &value, sizeof(value), NULL));
  CHECK(value == 7);
  OK(sinter_device_get_info(part, SINTER_DEVICE_MAX_COMPUTE_UNITS, &value, sizeof(value), NULL));
  CHECK(value == 1);
  OK(sinter_queue_create(part, &queue));
  OK(sinter_queue_destroy(queue));
  nodes_of_the_host(units);
}

static void memory(void) {
  void *pointer = NULL, *nothing = &nothing;
  sinter_pointer_info info = {0};
  int local = 0;
  OK(sinter_malloc(0, SINTER_MEMORY_SHARED, 1000, 256, &pointer));
  CHECK(pointer != NULL && (uintptr_t)pointer % 256 == 0);
  memset(pointer, 1, 1000);
  OK(sinter_malloc(0, SINTER_MEMORY_DEVICE, 0, 0, &nothing));
  CHECK(nothing == NULL);
  INVALID(sinter_malloc(0, SINTER_MEMORY_SHARED, 8, 3, &nothing));
  INVALID(sinter_malloc(0, SINTER_MEMORY_UNKNOWN, 8, 0, &nothing));
  INVALID(sinter_malloc(0, (sinter_memory_kind)9, 8, 0, &nothing));
  INVALID(sinter_malloc(0, SINTER_MEMORY_SHARED, 8, 0, NULL));
  CHECK(sinter_malloc(99, SINTER_MEMORY_SHARED, 8, 0, &nothing) == SINTER_ERROR_NO_DEVICE);
  CHECK(sinter_malloc(0, SINTER_MEMORY_SHARED, SIZE_MAX / 4, 0, &nothing) == SINTER_ERROR_OUT_OF_MEMORY);
  CHECK(sinter_malloc(0, SINTER_MEMORY_SHARED, SIZE_MAX, 64, &nothing) == SINTER_ERROR_OUT_OF_MEMORY);
  CHECK(sinter_malloc(0, SINTER_MEMORY_SHARED, 8, SIZE_MAX / 2 + 1, &nothing) == SINTER_ERROR_OUT_OF_MEMORY);
  INVALID(sinter_pointer_get_info(pointer, &info)); /* struct_size is 0 */
  INVALID(sinter_pointer_get_info(pointer, NULL));
  info.struct_size = sizeof(info);
  OK(sinter_pointer_get_info((char *)pointer + 10, &info));
  CHECK(info.kind == SINTER_MEMORY_SHARED && info.base == pointer && info.size >= 1000 && info.device == 0);
  OK(sinter_pointer_get_info(&local, &info));
  CHECK(info.kind == SINTER_MEMORY_UNKNOWN && info.struct_size == sizeof(info));
  OK(sinter_pointer_get_info(NULL, &info));
  INVALID(sinter_free(&local));
  OK(sinter_free(NULL));
  OK(sinter_free(pointer));
  INVALID(sinter_free(pointer));
}

static void queues(void) {
  sinter_queue *queue = NULL, *other = NULL;
  uint64_t ticket = 0, garbage[8] = {42};
  int32_t complete = 0;
  uint32_t from[100], to[100], pattern = 7;
  INVALID(sinter_queue_create(0, NULL));
  CHECK(sinter_queue_create(99, &queue) == SINTER_ERROR_NO_DEVICE);
  OK(sinter_queue_create(0, &queue));
  OK(sinter_queue_create(0, &other));
  OK(sinter_queue_fill(queue, from, &pattern, sizeof(pattern), 100, &ticket));
  CHECK(ticket == 1);
  OK(sinter_queue_depend(other, queue, ticket));
  OK(sinter_queue_memcpy(other, to, from, sizeof(to), NULL));
  OK(sinter_queue_wait_all(other));
  CHECK(to[0] == 7 && to[99] == 7);
  OK(sinter_queue_wait(queue, ticket));
  OK(sinter_queue_query(queue, ticket, &complete));
  CHECK(complete == 1);
  OK(sinter_queue_last_ticket(other, &ticket));
  CHECK(ticket == 1);
  OK(sinter_queue_memcpy(queue, NULL, NULL, 0, &ticket));
  OK(sinter_queue_fill(queue, NULL, &pattern, 4, 0, NULL));
  OK(sinter_queue_depend(queue, queue, 1));
  INVALID(sinter_queue_wait(queue, 1000));
  INVALID(sinter_queue_query(queue, 1000, &complete));
  INVALID(sinter_queue_query(queue, 1, NULL));
  INVALID(sinter_queue_depend(queue, other, 1000));
  INVALID(sinter_queue_memcpy(queue, NULL, from, 4, NULL));
  INVALID(sinter_queue_memcpy(queue, to, NULL, 4, NULL));
  INVALID(sinter_queue_fill(queue, to, NULL, 4, 1, NULL));
  INVALID(sinter_queue_fill(queue, to, &pattern, 0, 1, NULL));
  INVALID(sinter_queue_fill(queue, to, from, 129, 1, NULL));
  INVALID(sinter_queue_fill(queue, to, from, 128, SIZE_MAX, NULL));
  CHECK(strstr(sinter_last_error(), "address space") != NULL);
  INVALID(sinter_queue_fill(queue, to, from, 1, SIZE_MAX / 2 + 1, NULL));
  INVALID(sinter_queue_fill(queue, to, from, 1, SIZE_MAX, NULL));
  INVALID(sinter_queue_memcpy(queue, to, from, SIZE_MAX / 2 + 1, NULL));
  INVALID(sinter_queue_memcpy(queue, (void *)(UINTPTR_MAX - 15), from, 32, NULL));
  INVALID(sinter_queue_memcpy(queue, to, from, SIZE_MAX, NULL));
  INVALID(sinter_queue_wait_all(NULL));
  INVALID(sinter_queue_wait_all((sinter_queue *)garbage));
  INVALID(sinter_queue_wait_all((sinter_queue *)((char *)queue + 1)));
  INVALID(sinter_queue_destroy((sinter_queue *)garbage));
  INVALID(sinter_queue_last_ticket(queue, NULL));
  OK(sinter_queue_destroy(NULL));
  OK(sinter_queue_destroy(other));
  OK(sinter_queue_destroy(queue));
}

static void launches(void) {
  sinter_queue *queue = NULL;
  sinter_launch bad = launch;
  sinter_kernel broken = kernel;
  sinter_container damaged = container;
  char block[8] = {0};
  uint64_t ticket = 9;
  OK(sinter_queue_create(0, &queue));
  INVALID(sinter_queue_launch(NULL, &kernel, block, 8, &launch, NULL));
  INVALID(sinter_queue_launch(queue, NULL, block, 8, &launch, NULL));
  INVALID(sinter_queue_launch(queue, &kernel, NULL, 8, &launch, NULL));
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, NULL, NULL));
  bad.struct_size = 4;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL));
  bad = launch, bad.dimensions = 4;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL));
  bad = launch, bad.global_size[1] = 2;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL));
  bad = launch, bad.group_size[0] = 3, bad.group_size[1] = bad.group_size[2] = 1;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL) == SINTER_ERROR_LAUNCH);
  bad = launch, bad.dimensions = 2, bad.global_size[0] = bad.global_size[1] = (uint64_t)1 << 33;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL) == SINTER_ERROR_LAUNCH);
  bad = launch, bad.dimensions = 2, bad.global_size[0] = (uint64_t)1 << 32, bad.global_size[1] = bad.global_size[0] + 1;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL) == SINTER_ERROR_LAUNCH);
  bad = launch, bad.global_size[0] = UINT64_MAX, bad.group_size[0] = UINT32_MAX;
  bad.group_size[1] = bad.group_size[2] = 1;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &bad, NULL) == SINTER_ERROR_LAUNCH);
  bad = launch, bad.global_size[0] = 0;
  OK(sinter_queue_launch(queue, &kernel, block, 8, &bad, &ticket));
  CHECK(ticket == 0);
  broken.struct_size = 8;
  INVALID(sinter_queue_launch(queue, &broken, block, 8, &launch, NULL));
  broken = kernel, broken.symbol = "absent";
  CHECK(sinter_queue_launch(queue, &broken, block, 8, &launch, NULL) == SINTER_ERROR_KERNEL);
  CHECK(strstr(sinter_last_error(), "absent") != NULL);
  broken = kernel, broken.container = &damaged;
  damaged.abi_version = 999;
  INVALID(sinter_queue_launch(queue, &broken, block, 8, &launch, NULL));
  damaged = container, damaged.size = 40;
  CHECK(sinter_queue_launch(queue, &broken, block, 8, &launch, NULL) == SINTER_ERROR_KERNEL);
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &launch, NULL) == SINTER_ERROR_TRANSLATOR);
  CHECK(strstr(sinter_last_error(), "SINTER_TRANSLATOR") != NULL);
  OK(sinter_queue_destroy(queue));
}

/* A constant that is rejected keeps the launch from getting as far as the translator, which is missing. */
static void constants(void) {
  const uint32_t value = 7;
  const sinter_constant good = {"rows", &value, sizeof(value)};
  sinter_constant many[20], wrong;
  sinter_launch with = launch, old = launch;
  sinter_queue *queue = NULL;
  char block[8] = {0};
  OK(sinter_queue_create(0, &queue));
  with.constant_count = 1;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  with.constants = &good;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL) == SINTER_ERROR_TRANSLATOR);
  with.constants = &wrong;
  wrong = good, wrong.name = NULL;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  wrong = good, wrong.name = "\xff";
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  wrong = good, wrong.value = NULL;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  wrong = good, wrong.size = 0;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  CHECK(strstr(sinter_last_error(), "rows") != NULL);
  wrong = good, wrong.size = UINT64_MAX;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  for (int i = 0; i < 20; i++)
    many[i] = good;
  with.constants = many, with.constant_count = 20;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  CHECK(strstr(sinter_last_error(), "twice") != NULL);
  with.constant_count = UINT32_MAX;
  INVALID(sinter_queue_launch(queue, &kernel, block, 8, &with, NULL));
  /* A program that was compiled before there were constants has nothing there. */
  old.struct_size = (uint32_t)offsetof(sinter_launch, constant_count), old.constant_count = 99;
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &old, NULL) == SINTER_ERROR_TRANSLATOR);
  OK(sinter_queue_destroy(queue));
}

static void requirements(void) {
  sinter_kernel strict = kernel;
  sinter_launch grouped = launch;
  sinter_queue *queue = NULL;
  uint64_t sub_groups[64];
  char block[8] = {0};
  OK(sinter_queue_create(0, &queue));
  strict.required_group_size[0] = 8, strict.required_group_size[1] = strict.required_group_size[2] = 1;
  grouped.group_size[0] = 4, grouped.group_size[1] = grouped.group_size[2] = 1;
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &grouped, NULL) == SINTER_ERROR_LAUNCH);
  CHECK(strstr(sinter_last_error(), "8x1x1") != NULL && strstr(sinter_last_error(), "4x1x1") != NULL);
  grouped.group_size[0] = 8;
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &grouped, NULL) == SINTER_ERROR_TRANSLATOR);
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &launch, NULL) == SINTER_ERROR_TRANSLATOR);
  strict.struct_size = (uint32_t)offsetof(sinter_kernel, required_group_size), grouped.group_size[0] = 4;
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &grouped, NULL) == SINTER_ERROR_TRANSLATOR);
  strict = kernel, strict.required_group_size[0] = 8;
  INVALID(sinter_queue_launch(queue, &strict, block, 8, &launch, NULL));
  strict = kernel, strict.required_sub_group_size = 77; /* no device has it */
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &launch, NULL) == SINTER_ERROR_UNSUPPORTED);
  CHECK(strstr(sinter_last_error(), "77") != NULL);
  OK(sinter_device_get_info(0, SINTER_DEVICE_SUB_GROUP_SIZES, sub_groups, sizeof(sub_groups), NULL));
  strict.required_sub_group_size = (uint32_t)sub_groups[0];
  CHECK(sinter_queue_launch(queue, &strict, block, 8, &launch, NULL) == SINTER_ERROR_TRANSLATOR);
  OK(sinter_queue_destroy(queue));
}

static void profiling(void) {
  sinter_queue *queue = NULL, *plain = NULL;
  sinter_profile profile = {0, 0, 0, 0, 0};
  uint32_t data[64], pattern = 7;
  uint64_t ticket = 0;
  INVALID(sinter_queue_enable_profiling(NULL));
  OK(sinter_queue_create(0, &queue));
  OK(sinter_queue_create(0, &plain));
  OK(sinter_queue_enable_profiling(queue));
  OK(sinter_queue_enable_profiling(queue));
  OK(sinter_queue_fill(queue, data, &pattern, sizeof(pattern), 64, &ticket));
  OK(sinter_queue_enable_profiling(queue));
  INVALID(sinter_queue_profile(NULL, ticket, &profile));
  INVALID(sinter_queue_profile(queue, ticket, NULL));
  INVALID(sinter_queue_profile(queue, ticket, &profile)); /* struct_size is 0 */
  profile.struct_size = sizeof(profile);
  OK(sinter_queue_profile(queue, ticket, &profile));
  CHECK(profile.struct_size == sizeof(profile) && profile.reserved == 0);
  CHECK(profile.submit > 0 && profile.submit <= profile.start && profile.start <= profile.end);
  INVALID(sinter_queue_profile(queue, ticket + 1, &profile));
  INVALID(sinter_queue_profile(queue, 0, &profile));
  OK(sinter_queue_fill(plain, data, &pattern, sizeof(pattern), 64, &ticket));
  INVALID(sinter_queue_enable_profiling(plain));
  INVALID(sinter_queue_profile(plain, ticket, &profile));
  CHECK(strstr(sinter_last_error(), "profiling") != NULL);
  OK(sinter_queue_destroy(plain));
  OK(sinter_queue_destroy(queue));
}

struct task {
  sinter_queue *queue;
  uint64_t ticket;
  unsigned char seen;
  int ran, released, refused;
};

static void run_task(void *data) {
  struct task *task = data;
  unsigned char *bytes = (unsigned char *)data + sizeof(*task);
  task->seen = bytes[0];
  bytes[0] = 9;
  task->refused = sinter_queue_wait(task->queue, task->ticket) == SINTER_ERROR_DRIVER;
  task->ran++;
}

static void release_task(void *data) { ((struct task *)data)->released++; }

static void host_tasks(void) {
  struct {
    struct task task;
    unsigned char bytes[8];
  } all = {{NULL, 0, 0, 0, 0, 0}, {0}};
  unsigned char four = 4, copy = 0;
  uint64_t ticket = 0, last = 0;
  int32_t complete = 0;
  INVALID(sinter_queue_host_task(NULL, run_task, release_task, &all, &ticket));
  CHECK(all.task.released == 1 && all.task.ran == 0);
  OK(sinter_queue_create(0, &all.task.queue));
  INVALID(sinter_queue_host_task(all.task.queue, NULL, release_task, &all, &ticket));
  CHECK(all.task.released == 2 && all.task.ran == 0);
  OK(sinter_queue_fill(all.task.queue, all.bytes, &four, 1, 8, &last));
  all.task.ticket = UINT64_MAX;
  OK(sinter_queue_host_task(all.task.queue, run_task, release_task, &all, &ticket));
  CHECK(ticket > last);
  OK(sinter_queue_memcpy(all.task.queue, &copy, all.bytes, 1, &last));
  CHECK(last == ticket + 1);
  OK(sinter_queue_wait(all.task.queue, last));
  CHECK(all.task.ran == 1 && all.task.seen == 4 && copy == 9);
  OK(sinter_queue_query(all.task.queue, ticket, &complete));
  CHECK(complete == 1);
  INVALID(sinter_queue_wait(all.task.queue, last + 1));
  OK(sinter_queue_last_ticket(all.task.queue, &ticket));
  all.task.ticket = ticket + 1; /* its own */
  OK(sinter_queue_host_task(all.task.queue, run_task, release_task, &all, NULL));
  OK(sinter_queue_wait_all(all.task.queue));
  CHECK(all.task.refused == 1);
  OK(sinter_queue_host_task(all.task.queue, run_task, NULL, &all, NULL));
  OK(sinter_queue_destroy(all.task.queue));
  CHECK(all.task.ran == 3 && all.task.released == 4);
}

static void movement(void) {
  sinter_queue *queue = NULL;
  unsigned char from[64], to[64];
  uint64_t ticket = 99, before = 0;
  void *shared = NULL;
  int32_t possible = 9;
  OK(sinter_queue_create(0, &queue));
  for (int i = 0; i < 64; i++)
    from[i] = (unsigned char)i, to[i] = 255;
  OK(sinter_queue_memcpy_rows(queue, to, 16, from + 2, 8, 5, 3, &ticket));
  OK(sinter_queue_wait(queue, ticket));
  CHECK(to[0] == 2 && to[4] == 6 && to[5] == 255 && to[16] == 10 && to[36] == 22 && to[37] == 255 && to[48] == 255);
  OK(sinter_queue_last_ticket(queue, &before));
  OK(sinter_queue_memcpy_rows(queue, NULL, 0, NULL, 0, 0, 3, &ticket));
  CHECK(ticket == before);
  INVALID(sinter_queue_memcpy_rows(NULL, to, 16, from, 8, 5, 3, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, NULL, 16, from, 8, 5, 3, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, to, 16, NULL, 8, 5, 3, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, to, 4, from, 8, 5, 3, NULL));
  CHECK(strstr(sinter_last_error(), "destination_pitch") != NULL);
  INVALID(sinter_queue_memcpy_rows(queue, to, 16, from, 4, 5, 3, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, to, SIZE_MAX / 2, from, 8, 5, 3, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, to, SIZE_MAX, from, SIZE_MAX, 1, SIZE_MAX, NULL));
  INVALID(sinter_queue_memcpy_rows(queue, to, (size_t)1 << 33, from, (size_t)1 << 33, 1, (size_t)1 << 33, NULL));
  OK(sinter_malloc(0, SINTER_MEMORY_SHARED, 4096, 0, &shared));
  OK(sinter_queue_prefetch(queue, shared, 4096, 0, &ticket));
  OK(sinter_queue_prefetch(queue, shared, 4096, 1, NULL));
  OK(sinter_queue_prefetch(queue, from, 64, 0, NULL)); /* not memory of a device */
  OK(sinter_queue_prefetch(queue, NULL, 0, 0, NULL));
  INVALID(sinter_queue_prefetch(NULL, shared, 4096, 0, NULL));
  for (int advice = SINTER_ADVICE_DEFAULT; advice <= SINTER_ADVICE_PREFER_HOST; advice++)
    OK(sinter_queue_advise(queue, shared, 4096, (sinter_advice)advice, &ticket));
  INVALID(sinter_queue_advise(queue, shared, 4096, (sinter_advice)4, NULL));
  INVALID(sinter_queue_advise(NULL, shared, 4096, SINTER_ADVICE_DEFAULT, NULL));
  OK(sinter_queue_wait_all(queue));
  OK(sinter_free(shared));
  OK(sinter_device_set_peer_access(0, 0, 1, &possible));
  CHECK(possible == 1);
  OK(sinter_device_set_peer_access(0, 0, 0, NULL));
  CHECK(sinter_device_set_peer_access(0, 99, 1, &possible) == SINTER_ERROR_NO_DEVICE);
  OK(sinter_device_set_limit(0, SINTER_LIMIT_STACK, 4096, &possible));
  OK(sinter_device_set_limit(0, SINTER_LIMIT_PRINTS, 1 << 20, NULL));
  INVALID(sinter_device_set_limit(0, (sinter_limit)2, 4096, &possible));
  CHECK(sinter_device_set_limit(99, SINTER_LIMIT_STACK, 4096, NULL) == SINTER_ERROR_NO_DEVICE);
  OK(sinter_queue_destroy(queue));
}

static sinter_command with(const sinter_requirement *requirement, uint32_t kind) {
  sinter_command command;
  memset(&command, 0, sizeof(command));
  command.struct_size = sizeof(command);
  command.kind = kind;
  command.requirement_count = requirement == NULL ? 0 : 1;
  command.requirements = requirement;
  command.lengths[1] = command.lengths[2] = 1;
  return command;
}

/* Fills the middle of a buffer, copies it out and looks at it. */
static void buffer_commands(sinter_queue *queue, sinter_buffer *buffer, const sinter_box *middle) {
  sinter_requirement requirement = {buffer, SINTER_ACCESS_WRITE, 0, *middle};
  sinter_command fill = with(&requirement, SINTER_COMMAND_FILL), copy = with(&requirement, SINTER_COMMAND_COPY);
  sinter_host_access *held = NULL;
  unsigned char out[4] = {0};
  void *address = NULL;
  uint64_t ticket = 0;
  int32_t complete = 0;
  OK(sinter_buffer_pointer(buffer, queue, &address));
  fill.destination = (char *)address + 2;
  fill.block = "x";
  fill.block_size = 1;
  fill.lengths[0] = 2;
  fill.lengths[1] = 2;
  fill.destination_pitches[0] = 8;
  OK(sinter_queue_submit(queue, &fill, &ticket));
  OK(sinter_queue_wait(queue, ticket));
  requirement.access = SINTER_ACCESS_READ;
  copy.flags = SINTER_COMMAND_OVERLAPS;
  copy.source = (char *)address + 2;
  copy.destination = out;
  copy.lengths[0] = copy.lengths[1] = 2;
  copy.source_pitches[0] = 8;
  copy.destination_pitches[0] = 2;
  OK(sinter_queue_submit(queue, &copy, &ticket));
  OK(sinter_queue_wait(queue, ticket));
  OK(sinter_queue_query(queue, ticket, &complete));
  CHECK(complete == 1 && memcmp(out, "xxxx", 4) == 0);
  OK(sinter_buffer_access(buffer, SINTER_ACCESS_READ | SINTER_ACCESS_WRITE, middle, &address, &held));
  CHECK(((char *)address)[1] == 'a' && ((char *)address)[2] == 'x' && ((char *)address)[11] == 'x');
  OK(sinter_queue_submit(queue, &copy, &ticket));
  OK(sinter_buffer_release(held));
  OK(sinter_buffer_release(NULL));
  OK(sinter_queue_wait_all(queue));
  INVALID(sinter_buffer_access(buffer, 0, middle, &address, &held));
  INVALID(sinter_buffer_access(buffer, SINTER_ACCESS_READ, NULL, &address, &held));
  INVALID(sinter_buffer_access(NULL, SINTER_ACCESS_READ, middle, &address, &held));
  INVALID(sinter_buffer_access(buffer, SINTER_ACCESS_READ, middle, &address, NULL));
}

struct counts {
  int retained, released;
};
static void retain_counts(void *data) { ((struct counts *)data)->retained++; }
static void release_counts(void *data) { __atomic_add_fetch(&((struct counts *)data)->released, 1, __ATOMIC_RELEASE); }

/* A command that waits for the program retains its data, another one does not. */
static void retained_data(sinter_queue *queue, sinter_buffer *buffer, const sinter_box *box) {
  sinter_requirement requirement = {buffer, SINTER_ACCESS_WRITE, 0, *box};
  sinter_command command = with(&requirement, SINTER_COMMAND_NOTHING);
  struct counts counts = {0, 0};
  sinter_host_access *held = NULL;
  void *address = NULL;
  uint64_t ticket = 0;
  int32_t complete = 1;
  command.retain = retain_counts;
  command.release = release_counts;
  command.data = &counts;
  OK(sinter_queue_submit(queue, &command, &ticket));
  CHECK(counts.retained == 0 && counts.released == 0);
  OK(sinter_buffer_access(buffer, SINTER_ACCESS_READ, box, &address, &held));
  OK(sinter_queue_submit(queue, &command, &ticket));
  OK(sinter_queue_query(queue, ticket, &complete));
  CHECK(complete == 0 && counts.retained == 1 && counts.released == 0);
  OK(sinter_queue_take_error(queue, 0));
  OK(sinter_buffer_release(held));
  OK(sinter_queue_wait(queue, ticket));
  while (__atomic_load_n(&counts.released, __ATOMIC_ACQUIRE) == 0) {
  }
  CHECK(counts.retained == 1);
  OK(sinter_queue_take_error(queue, 1));
  INVALID(sinter_queue_take_error(NULL, 0));
}

static uint64_t fill_whole(sinter_queue *queue, const sinter_requirement *requirements, uint32_t count, void *memory) {
  sinter_command fill = with(requirements, SINTER_COMMAND_FILL);
  uint64_t ticket = 0;
  fill.flags = SINTER_COMMAND_OVERLAPS;
  fill.requirement_count = count;
  fill.destination = memory;
  fill.block = "y";
  fill.block_size = 1;
  fill.lengths[0] = requirements[0].box.width;
  OK(sinter_queue_submit(queue, &fill, &ticket));
  return ticket;
}

/* Commands after a host task that is complete are not kept back, whatever they depend on. */
static void nothing_late(void) {
  enum { SIZE = 1 << 26, LATE = 0xff };
  sinter_queue *queue = NULL;
  sinter_buffer *buffers[3] = {NULL, NULL, NULL};
  const sinter_buffer_description description = {sizeof(description), 0, {SIZE, 1, 1}, NULL};
  const sinter_box box = {0, SIZE, 1, 1, 0, 0};
  sinter_requirement requirements[3];
  struct counts counts = {0, 0};
  void *memory[3];
  uint64_t tickets[4];
  OK(sinter_queue_create(0, &queue));
  for (int i = 0; i < 3; ++i) {
    OK(sinter_buffer_create(&description, &buffers[i]));
    OK(sinter_buffer_pointer(buffers[i], queue, &memory[i]));
    requirements[i].buffer = buffers[i];
    requirements[i].access = SINTER_ACCESS_WRITE;
    requirements[i].reserved = 0;
    requirements[i].box = box;
  }
  OK(sinter_queue_host_task(queue, retain_counts, NULL, &counts, &tickets[0]));
  OK(sinter_queue_wait(queue, tickets[0]));
  CHECK(counts.retained == 1);
  tickets[0] = fill_whole(queue, &requirements[0], 1, memory[0]);
  requirements[0].access = SINTER_ACCESS_READ;
  /* The second command is the last one of the first lane, the third of another one. */
  sinter_requirement both[2] = {requirements[1], requirements[0]};
  tickets[1] = fill_whole(queue, both, 2, memory[1]);
  tickets[2] = fill_whole(queue, &requirements[2], 1, memory[2]);
  both[0] = requirements[2];
  tickets[3] = fill_whole(queue, both, 2, memory[2]);
  for (int i = 0; i < 4; ++i)
    CHECK(tickets[i] >> 56 != LATE);
  OK(sinter_queue_wait_all(queue));
  for (int i = 0; i < 3; ++i)
    OK(sinter_buffer_destroy(buffers[i], NULL));
  OK(sinter_queue_destroy(queue));
}

static void buffers(void) {
  sinter_queue *queue = NULL;
  sinter_buffer *buffer = NULL;
  char memory[33] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", out[32];
  sinter_buffer_description description = {sizeof(description), 0, {8, 4, 1}, memory};
  const sinter_box middle = {2, 2, 2, 1, 8, 0}, beyond = {30, 4, 1, 1, 0, 0};
  sinter_requirement requirement = {NULL, SINTER_ACCESS_READ, 0, middle};
  sinter_command command;
  uint64_t ticket = 0;
  uint64_t garbage[8] = {42};
  OK(sinter_queue_create(0, &queue));
  OK(sinter_buffer_create(&description, &buffer));
  retained_data(queue, buffer, &middle);
  buffer_commands(queue, buffer, &middle);

  command = with(&requirement, SINTER_COMMAND_NOTHING);
  INVALID(sinter_queue_submit(queue, &command, &ticket)); /* no buffer */
  requirement.buffer = (sinter_buffer *)garbage;
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  requirement.buffer = buffer;
  OK(sinter_queue_submit(queue, &command, &ticket));
  requirement.box = beyond;
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  CHECK(strstr(sinter_last_error(), "box") != NULL);
  requirement.box = middle;
  requirement.access = 8;
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  requirement.access = SINTER_ACCESS_READ | SINTER_ACCESS_HOST;
  OK(sinter_queue_submit(queue, &command, NULL));
  command.flags = 2;
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  command = with(NULL, 4);
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  command = with(NULL, SINTER_COMMAND_LAUNCH);
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  command = with(NULL, SINTER_COMMAND_FILL);
  INVALID(sinter_queue_submit(queue, &command, &ticket)); /* no pattern */
  command = with(NULL, SINTER_COMMAND_COPY);
  command.lengths[0] = 4;
  INVALID(sinter_queue_submit(queue, &command, &ticket)); /* no memory */
  command.struct_size = 8;
  INVALID(sinter_queue_submit(queue, &command, &ticket));
  INVALID(sinter_queue_submit(queue, NULL, &ticket));
  INVALID(sinter_queue_submit(NULL, &command, &ticket));

  OK(sinter_buffer_detach(buffer));
  OK(sinter_buffer_destroy(buffer, out));
  CHECK(memcmp(out, "aaxxaaaaaaxxaaaa", 16) == 0);
  OK(sinter_buffer_destroy(NULL, NULL));
  INVALID(sinter_buffer_destroy((sinter_buffer *)garbage, NULL));
  INVALID(sinter_buffer_create(&description, NULL));
  INVALID(sinter_buffer_create(NULL, &buffer));
  description.shape[0] = description.shape[1] = (uint64_t)1 << 40;
  INVALID(sinter_buffer_create(&description, &buffer));
  description.flags = 8;
  INVALID(sinter_buffer_create(&description, &buffer));
  OK(sinter_queue_destroy(queue));
}

/* A device without a vendor's interface, as the host. */
static void no_native(sinter_queue *queue) {
  sinter_queue *adopted = NULL;
  void *handle = NULL;
  char stream[8] = {0};
  CHECK(sinter_device_get_native(0, SINTER_NATIVE_DEVICE, &handle) == SINTER_ERROR_UNSUPPORTED);
  CHECK(strstr(sinter_last_error(), "native handle of a device") != NULL);
  CHECK(sinter_queue_get_native(queue, SINTER_NATIVE_STREAM, &handle) == SINTER_ERROR_UNSUPPORTED);
  CHECK(sinter_queue_create_from_native(0, stream, &adopted) == SINTER_ERROR_UNSUPPORTED);
  CHECK(adopted == NULL && handle == NULL);
}

static void some_native(sinter_queue *queue) {
  sinter_queue *adopted = NULL;
  void *context = NULL, *stream = NULL, *same = NULL;
  OK(sinter_device_get_native(0, SINTER_NATIVE_CONTEXT, &context));
  OK(sinter_queue_get_native(queue, SINTER_NATIVE_CONTEXT, &same));
  CHECK(context != NULL && same == context);
  OK(sinter_queue_get_native(queue, SINTER_NATIVE_STREAM, &stream));
  CHECK(stream != NULL);
  OK(sinter_queue_create_from_native(0, stream, &adopted));
  OK(sinter_queue_get_native(adopted, SINTER_NATIVE_STREAM, &same));
  CHECK(same == stream);
  OK(sinter_queue_destroy(adopted));
}

static void native(void) {
  sinter_kernel_usage usage = {sizeof(sinter_kernel_usage), 0, 0, 0, 0};
  sinter_queue *queue = NULL, *adopted = NULL;
  sinter_launch empty = launch;
  void *handle = NULL;
  char block[8] = {0};
  OK(sinter_queue_create(0, &queue));
  if (sinter_device_get_native(0, SINTER_NATIVE_DEVICE, &handle) == SINTER_SUCCESS)
    some_native(queue);
  else
    no_native(queue);
  CHECK(sinter_device_get_native(99, SINTER_NATIVE_DEVICE, &handle) == SINTER_ERROR_NO_DEVICE);
  INVALID(sinter_device_get_native(0, (sinter_native)6, &handle));
  INVALID(sinter_queue_get_native(NULL, SINTER_NATIVE_STREAM, &handle));
  INVALID(sinter_queue_get_native(queue, (sinter_native)-1, &handle));
  CHECK(sinter_queue_create_from_native(99, block, &adopted) == SINTER_ERROR_NO_DEVICE);
  INVALID(sinter_queue_create_from_native(0, block, NULL));
  CHECK(adopted == NULL);
  CHECK(sinter_kernel_get_native(queue, &kernel, block, 8, &launch, SINTER_NATIVE_FUNCTION, &handle) ==
        SINTER_ERROR_TRANSLATOR);
  INVALID(sinter_kernel_get_native(NULL, &kernel, block, 8, &launch, SINTER_NATIVE_FUNCTION, &handle));
  INVALID(sinter_kernel_get_native(queue, NULL, block, 8, &launch, SINTER_NATIVE_FUNCTION, &handle));
  INVALID(sinter_kernel_get_native(queue, &kernel, NULL, 8, &launch, SINTER_NATIVE_FUNCTION, &handle));
  INVALID(sinter_kernel_get_native(queue, &kernel, block, 8, NULL, SINTER_NATIVE_FUNCTION, &handle));
  INVALID(sinter_kernel_get_native(queue, &kernel, block, 8, &launch, (sinter_native)9, &handle));
  CHECK(sinter_kernel_get_usage(queue, &kernel, block, 8, &launch, &usage) == SINTER_ERROR_TRANSLATOR);
  INVALID(sinter_kernel_get_usage(NULL, &kernel, block, 8, &launch, &usage));
  INVALID(sinter_kernel_get_usage(queue, NULL, block, 8, &launch, &usage));
  INVALID(sinter_kernel_get_usage(queue, &kernel, block, 8, NULL, &usage));
  INVALID(sinter_kernel_get_usage(queue, &kernel, block, 8, &launch, NULL));
  usage.struct_size = 4;
  INVALID(sinter_kernel_get_usage(queue, &kernel, block, 8, &launch, &usage));
  empty.global_size[0] = 0;
  INVALID(sinter_kernel_get_native(queue, &kernel, block, 8, &empty, SINTER_NATIVE_FUNCTION, &handle));
  OK(sinter_queue_destroy(queue));
}

/* Digest of the payload's images: the object ID of an undamaged container. */
static const char digest[] = "c5a975817bd102c6392bc1cc8060e35d183ea997b336c389b0b03b6c61b442c2";

static void modules(void) {
  char whole[sizeof(payload)];
  sinter_module *module = NULL;
  const sinter_kernel *found = NULL;
  INVALID(sinter_module_create(NULL, 4, &module));
  INVALID(sinter_module_create(payload, sizeof(payload) - 1, NULL));
  CHECK(sinter_module_create("damaged", 7, &module) == SINTER_ERROR_KERNEL && module == NULL);
  CHECK(sinter_module_create(payload, sizeof(payload) - 1, &module) == SINTER_ERROR_KERNEL && module == NULL);
  CHECK(strstr(sinter_last_error(), digest));
  memcpy(whole, payload, sizeof(payload));
  memcpy(strchr(whole, '0'), digest, sizeof(digest) - 1);
  OK(sinter_module_create(whole, sizeof(whole) - 1, &module));
  INVALID(sinter_module_get_kernel(NULL, "kernel", &found));
  INVALID(sinter_module_get_kernel((sinter_module *)(void *)&container, "kernel", &found));
  INVALID(sinter_module_get_kernel(module, NULL, &found));
  INVALID(sinter_module_get_kernel(module, "kernel", NULL));
  CHECK(sinter_module_get_kernel(module, "kernal", &found) == SINTER_ERROR_KERNEL && found == NULL);
  CHECK(strstr(sinter_last_error(), "`kernel`"));
  OK(sinter_module_get_kernel(module, "kernel", &found));
  CHECK(strcmp(found->symbol, "kernel") == 0 && found->parameter_count == 0 && found->block_size == 0);
  OK(sinter_module_destroy(module));
  INVALID(sinter_module_destroy((sinter_module *)(void *)&container));
  OK(sinter_module_destroy(NULL));
  module = NULL;
  INVALID(sinter_module_linked(NULL, &module));
  INVALID(sinter_module_linked("kernel", NULL));
  CHECK(sinter_module_linked("kernal", &module) == SINTER_ERROR_KERNEL && module == NULL);
  OK(sinter_module_linked("kernel", &module));
  OK(sinter_module_get_kernel(module, "kernel", &found));
  OK(sinter_module_destroy(module));
}

static void observation(void) {
  sinter_statistics statistics = {0};
  OK(sinter_wait_for_jit());
  INVALID(sinter_get_statistics(NULL));
  INVALID(sinter_get_statistics(&statistics));
  statistics.struct_size = sizeof(statistics);
  OK(sinter_get_statistics(&statistics));
  CHECK(statistics.launches == 0 && statistics.translated == 0 && statistics.assemble_nanoseconds == 0);
  /* A program that was compiled before there was the last field has nothing there. */
  statistics.struct_size = (uint32_t)offsetof(sinter_statistics, assemble_nanoseconds);
  statistics.assemble_nanoseconds = 42;
  OK(sinter_get_statistics(&statistics));
  CHECK(statistics.assemble_nanoseconds == 42);
}

struct seen {
  int count;
  sinter_status nested;
};

static void see(const sinter_compilation *compilation, void *data) {
  struct seen *seen = data;
  CHECK(compilation->struct_size >= sizeof(*compilation));
  CHECK(strcmp(compilation->kernel, "kernel") == 0 && strcmp(compilation->symbol, "kernel") == 0);
  CHECK(compilation->reason == SINTER_REASON_LAUNCH && compilation->source == SINTER_SOURCE_FAILED);
  CHECK(compilation->level == SINTER_LEVEL_NONE && compilation->failure != NULL);
  CHECK(compilation->device == 0 && strlen(compilation->device_name) > 0 && strlen(compilation->variant) > 0);
  CHECK(compilation->translate_nanoseconds == 0);
  seen->count++;
}

static sinter_observer *observer = NULL;

static void destroy(const sinter_compilation *compilation, void *data) {
  struct seen *seen = data;
  CHECK(compilation->failure != NULL);
  seen->nested = sinter_observer_destroy(observer);
}

/* Every launch fails, because there is no translator. */
static void compilations(void) {
  struct seen seen = {0, SINTER_SUCCESS}, other = {0, SINTER_SUCCESS};
  sinter_observer *second = NULL;
  sinter_region *region = NULL;
  sinter_queue *queue = NULL;
  const char block[8] = {0};
  OK(sinter_queue_create(0, &queue));
  INVALID(sinter_observer_create(NULL, &seen, &observer));
  INVALID(sinter_observer_create(see, &seen, NULL));
  INVALID(sinter_observer_destroy((sinter_observer *)(void *)&container));
  OK(sinter_observer_destroy(NULL));
  INVALID(sinter_region_begin(NULL));
  INVALID(sinter_region_end(NULL, NULL, NULL));
  INVALID(sinter_region_end((sinter_region *)(void *)&container, NULL, NULL));
  OK(sinter_observer_create(see, &seen, &observer));
  OK(sinter_observer_create(destroy, &other, &second));
  OK(sinter_region_begin(&region));
  OK(sinter_region_end(region, see, &other));
  CHECK(other.count == 0);
  OK(sinter_region_begin(&region));
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &launch, NULL) == SINTER_ERROR_TRANSLATOR);
  CHECK(seen.count == 1 && other.nested == SINTER_ERROR_INVALID_ARGUMENT);
  CHECK(sinter_region_end(region, see, &other) == SINTER_ERROR_COMPILED);
  CHECK(other.count == 1 && strstr(sinter_last_error(), "`kernel`") != NULL);
  OK(sinter_observer_destroy(second));
  OK(sinter_observer_destroy(observer));
  CHECK(sinter_queue_launch(queue, &kernel, block, 8, &launch, NULL) == SINTER_ERROR_TRANSLATOR);
  CHECK(seen.count == 1);
  INVALID(sinter_queue_set_jit_mode(NULL, SINTER_JIT_SYNC));
  INVALID(sinter_queue_set_jit_mode(queue, (sinter_jit_mode)4));
  for (int mode = SINTER_JIT_REQUIRE; mode >= SINTER_JIT_DEFAULT; mode--)
    OK(sinter_queue_set_jit_mode(queue, (sinter_jit_mode)mode));
  OK(sinter_queue_destroy(queue));
}

int main(void) {
  library();
  OK(sinter_wait_for_jit()); /* Before there is a runtime. */
  sinter_register_container(&container);
  devices();
  divided_devices();
  memory();
  queues();
  launches();
  constants();
  requirements();
  profiling();
  host_tasks();
  movement();
  buffers();
  nothing_late();
  native();
  modules();
  compilations();
  observation();
  sinter_unregister_container(&container);
  sinter_unregister_container(&container);
  sinter_register_container(NULL);
  sinter_unregister_container(NULL);
  puts("ok");
  return 0;
}
