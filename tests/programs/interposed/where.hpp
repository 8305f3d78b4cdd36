// Asks where kernels ran.
#ifndef WHERE_HPP
#define WHERE_HPP

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <execution>
#include <numeric>
#include <vector>

#include <sinter/stdpar.h>

#define CHECK(...)                                                                                                     \
  do                                                                                                                   \
    if (!(__VA_ARGS__)) {                                                                                              \
      std::printf("line %d: %s\n", __LINE__, #__VA_ARGS__);                                                            \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  while (false)

struct counts {
  std::uint64_t chosen = 0, instead = 0;
  static counts now() {
    counts all;
    if (sinter_stdpar_counts(&all.chosen, &all.instead) != SINTER_SUCCESS)
      std::exit(2);
    return all;
  }
};

// True if blocks of this process are shared memory: the device reaches no other memory.
inline bool is_interposed() {
  void *block = std::malloc(100);
  sinter_pointer_info info{};
  info.struct_size = sizeof info;
  const bool known = sinter_pointer_get_info(block, &info) == SINTER_SUCCESS && info.kind == SINTER_MEMORY_SHARED;
  std::free(block);
  return known;
}

// Runs an algorithm. True if all its kernels ran on the chosen device.
template <class Action> bool runs_on_device(const Action &action) {
  const counts before = counts::now();
  action();
  const counts after = counts::now();
  CHECK(after.chosen + after.instead > before.chosen + before.instead);
  return after.instead == before.instead;
}

inline int pass() {
  std::printf("PASS\n");
  return 0;
}

#endif
