// Jumps into loops and out of switches, beside the same code on the host.
// levels: 0 2
// rows: 4 16
#include "same_on_host.hpp"

// A loop that is entered in its middle, and one behind it.
static unsigned duff(unsigned h) {
  const unsigned c = h % 13;
  unsigned rounds = (c + 3) / 4;
  switch (c % 4) {
  case 0:
    do {
      h = h * 3 + 1;
      [[fallthrough]];
    case 3: h ^= h << 7; [[fallthrough]];
    case 2: h += 5; [[fallthrough]];
    case 1: h = h * 7 + c;
    } while (--rounds > 0 && rounds < 1000);
  }
  for (unsigned k = 0; k < c % 9; ++k)
    h = h * 5 + k;
  return h;
}

// Three labels, each of which leads to each.
static unsigned switches(unsigned h) {
  unsigned left = 60;
  if (h & 1)
    goto second;
first:
  if (left-- == 0)
    return h;
  h = h * 3 + 1;
  switch (h & 7) {
  case 0:
  case 3: goto first;
  case 1: goto second;
  case 5: goto third;
  }
second:
  if (left-- == 0)
    return h;
  h ^= h >> 5;
  switch (h & 7) {
  case 0: goto first;
  case 6:
  case 2: goto third;
  case 3: goto second;
  }
third:
  if (left-- == 0)
    return h;
  h += 5;
  if (h & 4)
    goto first;
  goto second;
}

// A loop with a variable of its own that is left for another cycle.
static unsigned leaves(unsigned h) {
  unsigned n = 0, k = 0;
  if (h & 1)
    goto middle;
  if (h & 2)
    goto last;
start:
  if (++n > 40)
    return h * 64 + n + k;
  h = h * 3 + 1;
  if (h & 8)
    goto last;
middle:
  h ^= h >> 3;
  for (unsigned j = 0; j < (h & 3); ++j) {
    h += j * k;
    if ((h & 0xf0) == 0x50)
      goto last;
  }
  if (h & 16)
    goto start;
last:
  h += ++k;
  if (h & 32) {
    if (++n > 40)
      return h * 64 + n + k;
    goto middle;
  }
  if ((h & 3) == 1 && ++n < 40)
    goto start;
  return h * 64 + n + k;
}

static unsigned all(unsigned h) {
  return duff(h) + 3 * switches(h) + 5 * leaves(h);
}

int main() {
  same_on_host([](unsigned h) { return all(h); });
  return pass();
}
