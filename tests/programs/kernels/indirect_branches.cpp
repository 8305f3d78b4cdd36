// Indirect branches in a function that is not inlined, beside the host. GPUs have none.
// levels: 0 2
// devices: host
// rows: 4 16
#include "same_on_host.hpp"

#pragma clang diagnostic ignored "-Wgnu-label-as-value"

// An interpreter by the addresses of its labels, which is not inlined.
__attribute__((noinline)) static unsigned interprets(unsigned code, unsigned h) {
  static const void *const labels[] = {&&adds, &&multiplies, &&shifts, &&ends};
  for (code |= 3u << 30;; code >>= 2) {
    goto *labels[code & 3];
  adds:
    h += 3;
    continue;
  multiplies:
    h *= 5;
    continue;
  shifts:
    h ^= h >> 3;
    continue;
  ends:
    return h;
  }
}

int main() {
  same_on_host([](unsigned h) {
    unsigned sum = h;
    for (unsigned k = 0; k < h % 3; ++k)
      sum += interprets(h * (k + 1), sum);
    return sum;
  });
  return pass();
}
