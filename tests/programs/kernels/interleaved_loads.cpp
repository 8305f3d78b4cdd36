// Loops whose index wraps at a power of two; LLVM's interleaved-access vectorisation reads past the
// wrap. Each kernel fails without the translator's workaround, and runs after another translation,
// which once reverted the workaround.
// levels: 2 3
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {
constexpr int capacity = 4096;

void prepare(int *source, int *out) {
  for (int i = 0; i < 256; ++i)
    source[i] = i * i + 1;
  for (int i = 0; i < capacity; ++i)
    out[i] = 1000;
}

void verify(const int *source, const int *out, int size) {
  for (volatile int l = 0; l < size; ++l)
    CHECK_EQUAL(out[l], 1000 + source[(l * 3) % size]);
}
} // namespace

int main() {
  sycl::queue queue;
  int *s = sycl::malloc_shared<int>(256, queue), *p = sycl::malloc_shared<int>(capacity, queue);
  queue.single_task([=] { p[0] = 1; }).wait();
  prepare(s, p);
  queue
      .single_task([=] {
        for (int l = 0; l < 128; ++l)
          p[l] += s[(l * 3) % 128];
      })
      .wait();
  verify(s, p, 128);
  prepare(s, p);
  queue
      .single_task([=] {
#pragma clang loop unroll(disable)
        for (int l = 0; l < 32; ++l)
          p[l] += s[(l * 3) % 32];
        p[60] = 9;
      })
      .wait();
  verify(s, p, 32);
  prepare(s, p);
  queue
      .parallel_for(sycl::nd_range<1>(64, 64),
                    [=](sycl::nd_item<1> item) {
                      int l = item.get_local_id(0);
                      p[l] += s[(l * 3) % 64];
                    })
      .wait();
  verify(s, p, 64);
  prepare(s, p);
  queue
      .parallel_for(sycl::nd_range<1>(64, 64),
                    [=](sycl::nd_item<1> item) {
                      unsigned l = item.get_local_id(0);
                      p[l] += s[(l * 3) % 64];
                      for (int k = 1; k <= 4; k *= 2)
                        p[l + k * 512] = p[l] * (2 * k + 1) + s[l];
                    })
      .wait();
  verify(s, p, 64);
  sycl::free(s, queue);
  sycl::free(p, queue);
  return pass();
}
