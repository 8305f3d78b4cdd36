// Relocates the library when it is opened, instead of the dynamic linker.
//
// LLVM's tables hold 147,000 addresses of this library, in 2 MB. The dynamic linker would write
// them page by page: 530 page faults, each of which copies 4 KiB of the file. Here they are written
// into a copy on huge pages, where the system has them, which then takes the place of the file's
// pages. They are read-only afterwards too, but belong to no file.
//
// The linker writes the addresses into a table whose tag dynamic linkers pass over
// (--pack-dyn-relocs=relr --use-android-relr-tags), and makes `sinter_relocate` the function that
// they call before all constructors (-init). Until it has run, no table of addresses may be read:
// this file uses none.
#define _GNU_SOURCE
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_PAGE = 2 << 20, DT_ANDROID_RELR = 0x6fffe000, DT_ANDROID_RELRSZ = 0x6fffe001 };
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));
extern ElfW(Dyn) _DYNAMIC[] __attribute__((visibility("hidden")));

__attribute__((visibility("hidden"))) char *sinter_map_huge(size_t size, size_t room, const void *like);
__attribute__((visibility("hidden"))) void sinter_open_region(void);

struct range {
  char *start;
  size_t size;
};

// The pages that the dynamic linker has made read-only.
static struct range read_only_pages(char *base) {
  const ElfW(Phdr) *header = (const ElfW(Phdr) *)(base + __ehdr_start.e_phoff);
  for (int index = 0; index < __ehdr_start.e_phnum; index++, header++)
    if (header->p_type == PT_GNU_RELRO)
      return (struct range){base + header->p_vaddr, header->p_memsz};
  return (struct range){base, 0};
}

static uintptr_t dynamic_value(ElfW(Sxword) tag) {
  for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == tag)
      return entry->d_un.d_val;
  return 0;
}

static void add(char *place, char *base, struct range pages, char *copy, bool only_pages) {
  size_t distance = place - pages.start;
  bool is_inside = distance < pages.size;
  if (only_pages && !is_inside)
    return;
  uintptr_t *word = (uintptr_t *)(is_inside ? copy + distance : place);
  *word += (uintptr_t)base;
}

// Adds `base` to each word that the table lists; to the words of `pages` in their copy. The table
// is that of DT_RELR: an even entry is the address of a word, an odd one has a bit for each of the
// 63 words behind those of the entry before.
static void relocate(char *base, struct range pages, char *copy, bool only_pages) {
  const uintptr_t *entry = (const uintptr_t *)(base + dynamic_value(DT_ANDROID_RELR));
  const uintptr_t *end = (const uintptr_t *)((const char *)entry + dynamic_value(DT_ANDROID_RELRSZ));
  char *next = base;
  for (; entry != end; entry++) {
    if (!(*entry & 1)) {
      add(base + *entry, base, pages, copy, only_pages);
      next = base + *entry + sizeof(uintptr_t);
      continue;
    }
    char *place = next;
    for (uintptr_t bits = *entry >> 1; bits; bits >>= 1, place += sizeof(uintptr_t))
      if (bits & 1)
        add(place, base, pages, copy, only_pages);
    next += 63 * sizeof(uintptr_t);
  }
}

// Relocates the pages in place. Nothing of the library works if that fails, not even a return from
// here, since its constructors follow.
static void relocate_in_place(char *base, struct range pages, bool only_pages) {
  if (mprotect(pages.start, pages.size, PROT_READ | PROT_WRITE)) {
    static const char message[] = "sinter: the translator's library cannot be opened: the system does not let it write "
                                  "to its own tables (mprotect)\n";
    if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
      _exit(127);
    abort();
  }
  madvise(pages.start, pages.size, MADV_POPULATE_WRITE);
  relocate(base, pages, pages.start, only_pages);
  mprotect(pages.start, pages.size, PROT_READ);
}

// Called by the dynamic linker, once.
__attribute__((visibility("hidden"))) void sinter_relocate(void) {
  char *base = (char *)&__ehdr_start;
  struct range pages = read_only_pages(base);
  char *copy = sinter_map_huge(pages.size, pages.size + HUGE_PAGE, pages.start);
  if (!copy) {
    relocate_in_place(base, pages, false);
  } else {
    // Faults are fewer together, where there is no huge page.
    madvise(copy, pages.size, MADV_POPULATE_WRITE);
    memcpy(copy, pages.start, pages.size);
    relocate(base, pages, copy, false);
    if (mprotect(copy, pages.size, PROT_READ) ||
        mremap(copy, pages.size, pages.size, MREMAP_MAYMOVE | MREMAP_FIXED, pages.start) == MAP_FAILED) {
      munmap(copy, pages.size);
      relocate_in_place(base, pages, true);
    }
  }
  sinter_open_region();
}
