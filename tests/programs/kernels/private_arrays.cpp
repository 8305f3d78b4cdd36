// Private arrays of all element sizes, of structures and of arrays, which are set, copied from
// constants, accessed by indices that work-items share or have each, and kept across a barrier.
// rows: off 4 16
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <cstring>

namespace {

constexpr int items = 192, rounds = 50;

template <class T> struct three {
  T a, b, c;
};

template <class T> T value(int i) { return static_cast<T>(i * 7 % 23 - 11); }

// In a kernel and on the host. `next` is called once.
template <class T, class Next> T words(int item, int n, const T *in, Next next) {
  T sums[20] = {}, steps[6] = {T(1), T(2), T(3), T(5), T(8), T(13)};
  three<T> triples[7] = {};
  T table[4][5];
  for (int i = 0; i < n; ++i) {
    sums[i % 20] = static_cast<T>(sums[i % 20] + in[item] + T(i % 3));
    triples[i % 7].b = static_cast<T>(triples[i % 7].b + sums[(i + item) % 20]);
    triples[(i + item) % 7].c = static_cast<T>(in[(item + i) % items] - triples[i % 7].a);
    triples[i % 7].a = steps[i % 6];
    if ((i + item) % 5 == 0)
      steps[(i * item) % 6] = static_cast<T>(steps[i % 6] + T(1));
  }
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 5; ++x)
      table[y][x] = static_cast<T>(sums[y * 5 + x] + triples[(x + n) % 7].c);
  next();
  T result = 0;
  for (int i = 0; i < n % 20 + 3; ++i)
    result = static_cast<T>(result + table[i % 4][(item + i) % 5] + triples[i % 7].b + steps[i % 6]);
  return result;
}

template <class T> void check(sycl::queue &queue) {
  T *in = sycl::malloc_shared<T>(items, queue), *out = sycl::malloc_shared<T>(3 * items, queue);
  for (int i = 0; i < items; ++i)
    in[i] = value<T>(i);
  for (const int n : {0, 1, rounds}) {
    queue.parallel_for(sycl::nd_range<1>(items, 48), [=](sycl::nd_item<1> item) {
      const int i = static_cast<int>(item.get_global_id(0));
      out[i] = words<T>(i, n, in, [&] { sycl::group_barrier(item.get_group()); });
    });
    queue.parallel_for(items, [=](int i) { out[items + i] = words<T>(i, n, in, [] {}); });
    queue.parallel_for(sycl::nd_range<2>({8, 24}, {8, 8}), [=](sycl::nd_item<2> item) {
      const int i = static_cast<int>(item.get_global_linear_id());
      out[2 * items + i] = words<T>(i, n, in, [&] { sycl::group_barrier(item.get_group()); });
    });
    queue.wait();
    for (int i = 0; i < items; ++i) {
      const T wanted = words<T>(i, n, in, [] {});
      CHECK(out[i] == wanted);
      CHECK(out[items + i] == wanted);
      CHECK(out[2 * items + i] == wanted);
    }
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
}

// Parts of words, and a pointer that leads to one of two arrays: not word by word.
void check_copies(sycl::queue &queue) {
  unsigned *out = sycl::malloc_shared<unsigned>(items, queue);
  const auto mixed = [](int item, int n) {
    unsigned a[8] = {}, b[8] = {};
    for (int i = 0; i < n; ++i) {
      unsigned *to = (item + i) % 3 == 0 ? a : b;
      to[i % 8] += unsigned(i) * 0x01020304u;
    }
    unsigned char byte;
    std::memcpy(&byte, reinterpret_cast<unsigned char *>(a) + item % 32, 1);
    return byte + b[n % 8] + a[item % 8];
  };
  queue.parallel_for(items, [=](int i) { out[i] = mixed(i, rounds); }).wait();
  for (int i = 0; i < items; ++i)
    CHECK(out[i] == mixed(i, rounds));
  sycl::free(out, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  check<signed char>(queue);
  check<unsigned short>(queue);
  check<int>(queue);
  check<long>(queue);
  check<float>(queue);
  if (queue.get_device().has(sycl::aspect::fp64))
    check<double>(queue);
  check_copies(queue);
  return pass();
}
