// The runtime's counters, which prove that no translation happened in a timed region.
#ifndef BENCHES_COUNTERS_HPP
#define BENCHES_COUNTERS_HPP

#include <sinter/sinter.h>

#include <cstdio>
#include <cstdlib>

namespace bench {

inline sinter_statistics counters() {
  sinter_statistics now = {};
  now.struct_size = sizeof now;
  if (sinter_get_statistics(&now) != SINTER_SUCCESS) {
    std::fprintf(stderr, "sinter_get_statistics: %s\n", sinter_last_error());
    std::exit(1);
  }
  return now;
}

} // namespace bench

#endif
