// A library for LD_PRELOAD: the system call that the variable REFUSED names fails where the
// translator's library would replace its own pages, which is told on standard error. For `mprotect`
// the copy of the pages cannot be had either.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

static int refuses(const char *name) {
  const char *refused = getenv("REFUSED");
  if (!refused || strcmp(refused, name))
    return 0;
  static const char told[] = "refused\n";
  if (write(STDERR_FILENO, told, sizeof told - 1) < 0)
    abort();
  errno = ENOMEM;
  return 1;
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
  // For the copy of the pages, which have more than a huge page and less than three.
  if (!place && protection == PROT_NONE && size > 2 << 20 && size < 8 << 20 && (refuses("mmap") || refuses("mprotect")))
    return MAP_FAILED;
  return (void *)syscall(SYS_mmap, place, size, protection, flags, file, offset);
}

void *mremap(void *place, size_t size, size_t new_size, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  void *new_place = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
  va_end(rest);
  if (new_place && refuses("mremap"))
    return MAP_FAILED;
  return (void *)syscall(SYS_mremap, place, size, new_size, flags, new_place);
}

int mprotect(void *place, size_t size, int protection) {
  if (protection == (PROT_READ | PROT_WRITE) && size > 2 << 20 && size < 8 << 20 && refuses("mprotect"))
    return -1;
  return (int)syscall(SYS_mprotect, place, size, protection);
}
