// memcpy, copy, memset and fill between host and device memory.
#include <sycl/sycl.hpp>

#include <vector>

#include "../check.hpp"

struct triple {
  char a;
  short b;
  float c;
  bool operator==(const triple &other) const { return a == other.a && b == other.b && c == other.c; }
};

template <class T> static void fills(sycl::queue &queue, const T &pattern, std::size_t count) {
  T *device = sycl::malloc_device<T>(count + 1, queue);
  std::vector<T> host(count + 1, T{});
  queue.memset(device, 0, (count + 1) * sizeof(T));
  queue.fill(device, pattern, count);
  queue.copy(device, host.data(), count + 1).wait();
  for (std::size_t i = 0; i < count; ++i)
    CHECK(host[i] == pattern);
  CHECK(host[count] == T{});
  sycl::free(device, queue);
}

int main() {
  sycl::queue queue;
  for (const std::size_t count : {1, 3, 64, 1000, 100003}) {
    std::vector<int> source(count), target(count, -1);
    for (std::size_t i = 0; i < count; ++i)
      source[i] = static_cast<int>(i * 7);
    int *first = sycl::malloc_device<int>(count, queue), *second = sycl::malloc_device<int>(count, queue);
    queue.memcpy(first, source.data(), count * sizeof(int));
    queue.parallel_for(count, [=](sycl::id<1> i) { first[i] += 1; });
    const sycl::event copied = queue.copy(first, second, count);
    queue.memcpy(target.data(), second, count * sizeof(int), copied).wait();
    for (std::size_t i = 0; i < count; ++i)
      CHECK_EQUAL(target[i], i * 7 + 1);
    queue.submit([&](sycl::handler &handler) { handler.memset(second, 0x5a, count * sizeof(int)); });
    queue.submit([&](sycl::handler &handler) { handler.copy(second, target.data(), count); }).wait();
    CHECK_EQUAL(target[count - 1], 0x5a5a5a5a);
    sycl::free(first, queue);
    sycl::free(second, queue);
  }
  fills<char>(queue, 'x', 13);
  fills<short>(queue, -3, 1001);
  fills<int>(queue, 1 << 20, 4097);
  fills<double>(queue, 0.1, 333);
  fills<triple>(queue, {'t', -2, 0.5f}, 77);
  fills<float>(queue, 1.5f, 0);
  queue.memcpy(nullptr, nullptr, 0).wait();
  return pass();
}
