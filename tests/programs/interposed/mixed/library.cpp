// The library of the program. Calls through pointers are not interposed.
#include <cstdlib>

#include "pair.hpp"

#define EXPORT extern "C" __attribute__((visibility("default")))

static void *(*volatile plain_malloc)(std::size_t) = std::malloc;
static void *(*volatile plain_realloc)(void *, std::size_t) = std::realloc;

EXPORT void *make(std::size_t size) { return plain_malloc(size); }
EXPORT void take(void *block) { std::free(block); }
EXPORT void *grow(void *block, std::size_t size) { return plain_realloc(block, size); }
EXPORT void take_new(Pair *pairs) { delete[] pairs; }
