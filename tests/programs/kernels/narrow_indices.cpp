// Indices of 8 and 16 bits that start at 0, have a step larger than one and wrap. LLVM 19
// vectorises such loops as if the index did not wrap (llvm-project#156849) unless the translator
// prevents it.
#include <sycl/sycl.hpp>

#include <cstdint>

#include "../check.hpp"

template <class Index, int Step>
void check_steps(sycl::queue &queue, int *out, int *in, int count) {
  constexpr int elements = (1 << (8 * sizeof(Index))) / 4;
  for (int i = 0; i < elements; ++i)
    in[i] = i * 7 + 1;
  for (int i = elements; i < 2 * elements; ++i)
    in[i] = -1000000;
  queue.fill(out, 0, count).wait();
  queue
      .single_task([=] {
        const char *bytes = reinterpret_cast<const char *>(in);
        Index j = 0;
#pragma clang loop unroll(disable)
        for (int l = 0; l < count; ++l) {
          out[l] += *reinterpret_cast<const int *>(bytes + j);
          j = static_cast<Index>(j + Step);
        }
      })
      .wait();
  for (int l = 0; l < count; ++l)
    CHECK_EQUAL(out[l], in[(l * Step / 4) % elements]);
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(100000, queue);
  int *in = sycl::malloc_shared<int>(32768, queue);
  check_steps<std::uint8_t, 4>(queue, out, in, 200);
  check_steps<std::uint8_t, 8>(queue, out, in, 128);
  check_steps<std::uint8_t, 12>(queue, out, in, 256);
  check_steps<std::uint16_t, 4>(queue, out, in, 40000);
  sycl::free(out, queue);
  sycl::free(in, queue);
  return pass();
}
