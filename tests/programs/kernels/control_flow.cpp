// Loops, switches, early returns, gotos and private arrays with computed indices.
// levels: 0 2 3
#include <sycl/sycl.hpp>

#include "../check.hpp"

static int work(int i) {
  if (i % 11 == 10)
    return -1;
  int result = 0;
  switch (i % 7) {
  case 0: result = 5; break;
  case 1: result = 50; [[fallthrough]];
  case 2: result += 7; break;
  case 5: return i * 2;
  default: result = i;
  }
  int scratch[32];
  for (int k = 0; k < 32; ++k)
    scratch[(k * 5 + i) % 32] = k + result;
  int sum = 0, k = i % 32;
again:
  sum += scratch[k];
  k = (k * 7 + 3) % 32;
  if (sum < 300 && k != i % 32)
    goto again;
  for (int j = 0;; ++j) {
    if (j % 2 == 0)
      continue;
    sum ^= j;
    if (j > i % 20)
      break;
  }
  do {
    sum -= 3;
  } while (sum > 1000);
  return sum;
}

int main() {
  sycl::queue queue;
  constexpr int size = 3001;
  int *out = sycl::malloc_shared<int>(size, queue);
  queue.parallel_for(size, [=](int i) { out[i] = work(i); }).wait();
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(out[i], work(i));
  sycl::free(out, queue);
  return pass();
}
