// Values that leave loops, whose items leave at different iterations: breaks, returns, gotos into
// loops and nested loops, in work-groups of different sizes.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

using word = unsigned;

static word collatz(word x, word n) {
  word value = x, steps = 0;
  while (value != 1 && steps < n * 10) {
    value = value & 1 ? 3 * value + 1 : value / 2;
    steps++;
    if (value > 100000)
      break;
  }
  return value * 1000 + steps;
}

static word linear_search(const word *data, word n, word wanted) {
  for (word i = 0; i != n; ++i)
    if (data[i] == wanted)
      return i;
  return 1000;
}

static word two_entries(word x, word n) {
  word sum = 0, j = 0;
  if (x & 1)
    goto second;
first:
  sum += x;
  if (j++ > n)
    goto end;
second:
  sum ^= j * 3;
  if (j++ < n + (x & 3))
    goto first;
end:
  return sum;
}

static word nested(word x, word n) {
  word last = 7, product = 1;
  for (word i = 0; i < n; ++i) {
    word inner = i;
    bool is_odd = false;
    for (word j = 0; j < x; ++j) {
      inner = inner * 5 + j;
      is_odd = (inner & 1) != 0;
      if (inner % 11 == x % 11)
        break;
      if (inner % 13 == 12 && i > 3)
        return product + inner;
    }
    last = is_odd ? inner : last + inner;
    if (last % 17 == 3)
      continue;
    product = product * 3 + last;
    if (product % 19 == x % 19)
      break;
  }
  return last ^ product;
}

static long long wide(word x, const word *data, word n) {
  long long sum = -1;
  double half = 0.5;
  unsigned char byte = 3;
  const word *place = data;
  for (word i = 0; i < n; ++i) {
    sum = sum * 3 - data[i];
    half += data[i] * 0.25;
    byte = static_cast<unsigned char>(byte * 7 + i);
    place = data + (i + x) % n;
    if (byte % 16 == x % 16)
      break;
  }
  return sum + static_cast<long long>(half * 4) + byte + *place;
}

static long long all(word x, const word *data, word n) {
  return collatz(x, n) + 31LL * linear_search(data, n, x) + 1009LL * two_entries(x, n) + 10007LL * nested(x, n) +
         wide(x, data, n);
}

int main() {
  sycl::queue queue;
  constexpr word size = 192, n = 24;
  word *data = sycl::malloc_shared<word>(n, queue);
  auto *out = sycl::malloc_shared<long long>(size, queue);
  for (word i = 0; i < n; ++i)
    data[i] = i * 37 % 101;
  for (word group : {1, 4, 16, 64}) {
    queue.fill(out, 0LL, size).wait();
    queue
        .parallel_for(sycl::nd_range<1>{size, group},
                      [=](sycl::nd_item<1> item) {
                        const word x = static_cast<word>(item.get_global_id(0));
                        out[x] = all(x, data, n);
                      })
        .wait();
    for (word x = 0; x < size; ++x)
      CHECK_EQUAL(out[x], all(x, data, n));
  }
  // Only one item, and one that finds nothing.
  for (word wanted : {74u, 3u}) {
    queue.single_task([=] { out[0] = linear_search(data, n, wanted); }).wait();
    CHECK_EQUAL(out[0], linear_search(data, n, wanted));
  }
  sycl::free(data, queue);
  sycl::free(out, queue);
  return pass();
}
