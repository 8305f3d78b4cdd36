/* A tool that takes NVTX ranges and writes them to the file of RANGES_FILE, one a line. It follows
 * nvtxTypes.h of NVTX 3: the process gives it tables of places, in which it puts its functions. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*function)(void);

struct callbacks {
  size_t size;
  int (*functions_of_module)(int module, function ***table, unsigned *size);
};

struct version_info {
  size_t size;
  uint32_t version;
  uint32_t reserved;
  void (*set_version)(uint32_t version);
};

struct attributes {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;
  int32_t message_type;
  const char *message;
};

enum { core = 1, core2 = 5, callbacks_table = 1, version_table = 3, size_of_core = 16 };

static FILE *file;
static char domain_name[64];
static _Thread_local int depth;

static void write_line(const char *kind, int level, uint32_t category, const char *message) {
  char line[4096];
  snprintf(line, sizeof(line), "%s %d %u %s %s\n", kind, level, category, domain_name, message);
  fputs(line, file);
  fflush(file);
}

static void *create_domain(const char *name) {
  snprintf(domain_name, sizeof(domain_name), "%s", name);
  return domain_name;
}

static void name_category(void *domain, uint32_t category, const char *name) {
  if (domain == domain_name)
    write_line("category", 0, category, name);
}

static int push_in_domain(void *domain, const struct attributes *range) {
  if (domain != domain_name || range->version != 3 || range->size != sizeof(*range) || range->message_type != 1)
    abort();
  write_line("push", depth, range->category, range->message);
  return depth++;
}

static int pop_in_domain(void *domain) {
  if (domain != domain_name || depth == 0)
    abort();
  write_line("pop", --depth, 0, "-");
  return depth;
}

static int push(const char *message) {
  write_line("push", depth, 0, message);
  return depth++;
}

static int pop(void) {
  write_line("pop", --depth, 0, "-");
  return depth;
}

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t number));

int InitializeInjectionNvtx2(const void *(*export_table)(uint32_t number)) {
  const struct callbacks *const callbacks = export_table(callbacks_table);
  const struct version_info *const version = export_table(version_table);
  const char *const path = getenv("RANGES_FILE"), *const how = getenv("RANGES_HOW");
  function **plain = NULL, **domains = NULL, **none = NULL;
  unsigned size = 0;
  if (!path || strcmp(how, "refuse") == 0 || export_table(77))
    return 0;
  if (callbacks->size < sizeof(*callbacks) || version->size < sizeof(*version) || version->version != 3)
    return 0;
  version->set_version(3);
  if (callbacks->functions_of_module(9, &none, &size) || none)
    return 0;
  if (!callbacks->functions_of_module(core, &plain, &size) || size != size_of_core)
    return 0;
  if (!callbacks->functions_of_module(core2, &domains, &size) || size != size_of_core || domains[0] || domains[size])
    return 0;
  file = fopen(path, "w");
  if (strcmp(how, "plain") == 0) {
    strcpy(domain_name, "none");
    *plain[9] = (function)push;
    *plain[11] = (function)pop;
  } else {
    *domains[4] = (function)push_in_domain;
    *domains[5] = (function)pop_in_domain;
    *domains[8] = (function)name_category;
    *domains[12] = (function)create_domain;
  }
  return file != NULL;
}
