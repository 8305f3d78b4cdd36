// A loop whose index wraps at a power of two; LLVM's interleaved-access vectorisation reads past the wrap.
// levels: 2 3
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  int *source = sycl::malloc_shared<int>(64, queue), *out = sycl::malloc_shared<int>(32 * 100, queue);
  for (int i = 0; i < 64; ++i)
    source[i] = i < 32 ? i * i + 1 : 1000000;
  queue.memset(out, 0, 32 * 100 * sizeof(int));
  queue.parallel_for(100, [=](int i) {
    int *mine = out + i * 32;
    for (int l = 0; l < 32; ++l)
      mine[l] += source[(l * 3) % 32];
  });
  queue.wait();
  for (int i = 0; i < 100; ++i)
    for (int l = 0; l < 32; ++l)
      CHECK_EQUAL(out[i * 32 + l], source[(l * 3) % 32]);
  queue.memset(out, 0, 32 * sizeof(int));
  queue.parallel_for(32, [=](unsigned l) { out[l] += source[(l * 3) % 32]; });
  queue.single_task([=] {
    for (int l = 0; l < 32; ++l)
      out[l] += source[(l * 3) % 32];
  });
  queue.wait();
  for (int l = 0; l < 32; ++l)
    CHECK_EQUAL(out[l], 2 * source[(l * 3) % 32]);
  sycl::free(source, queue);
  sycl::free(out, queue);
  return pass();
}
