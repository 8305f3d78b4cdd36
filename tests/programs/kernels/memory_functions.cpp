// memcpy, memset, memmove and copies of large structs inside kernels.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cstring>

#include "../check.hpp"

struct record {
  char bytes[200];
};

int main() {
  sycl::queue queue;
  constexpr int size = 33;
  record *out = sycl::malloc_shared<record>(size, queue), *in = sycl::malloc_shared<record>(size, queue);
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < 200; ++k)
      in[i].bytes[k] = static_cast<char>(i + k);
  queue.parallel_for(size, [=](int i) {
    record mine = in[i];
    std::memset(mine.bytes + 100, i, 50);
    std::memmove(mine.bytes + 1, mine.bytes, 60);
    std::memcpy(mine.bytes + 190, in[i].bytes, static_cast<std::size_t>(i % 10));
    out[i] = mine;
  }).wait();
  for (int i = 0; i < size; ++i) {
    record mine = in[i];
    std::memset(mine.bytes + 100, i, 50);
    std::memmove(mine.bytes + 1, mine.bytes, 60);
    std::memcpy(mine.bytes + 190, in[i].bytes, static_cast<std::size_t>(i % 10));
    CHECK(std::memcmp(&out[i], &mine, sizeof(record)) == 0);
  }
  sycl::free(out, queue);
  sycl::free(in, queue);
  return pass();
}
