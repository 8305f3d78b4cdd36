// Accesses whose addresses depend on the number of the work-item in known ways, so that rows on the
// host load and store vectors: tiles in a line of work-items, and elements in reverse order.
// rows: off 4 8 16 32 64
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <cstdint>
#include <vector>

namespace {

constexpr std::size_t width = 192, groups = 3, count = width * groups;

int input(std::size_t i) { return static_cast<int>(i * 37 % 1009) - 500; }

// Memory accessible on the host.
template <class T> struct array {
  array(sycl::queue &owner, std::size_t size) : queue(owner), size(size), data(sycl::malloc_shared<T>(size, owner)) {
    for (std::size_t i = 0; i < size; ++i)
      data[i] = T(input(i));
  }
  ~array() { sycl::free(data, queue); }
  array(const array &) = delete;
  array &operator=(const array &) = delete;

  sycl::queue queue;
  std::size_t size;
  T *data;
};

// The place of a work-item in tiles of several widths, from an index of type I that may wrap.
template <class I> long long tile_of(const int *a, I i) {
  const I y = i / 16, x = i % 16, far = i / 48, near = i % 48;
  long long sum = a[y * 5 + x] + 3LL * a[far * 7 + near];
  for (I k = 0; k < 3; ++k)
    sum += a[(i / 8) * 3 + i % 8 + k] * (k + 1) + a[(i & ~I(63)) + k] - a[(i & 31) + k];
  return sum + (i >> 2) * 11 + (i & 21);
}

template <class I> void tiles(sycl::queue &queue, I first, std::size_t items) {
  const array<int> a(queue, 3000);
  const array<long long> out(queue, items);
  queue.parallel_for(sycl::nd_range<1>(items, items / groups),
                     [=, a = a.data, out = out.data](sycl::nd_item<1> item) {
                       const std::size_t i = item.get_global_id(0);
                       const I own = static_cast<I>(static_cast<I>(i) + first);
                       if (i % 5 != 3)
                         out[i] = tile_of(a, own);
                       else
                         out[i] = tile_of(a, static_cast<I>(item.get_local_id(0)));
                     });
  queue.wait();
  for (std::size_t i = 0; i < items; ++i) {
    const I own = static_cast<I>(static_cast<I>(i) + first);
    CHECK(out.data[i] == tile_of(a.data, i % 5 != 3 ? own : static_cast<I>(i % (items / groups))));
  }
}

// A tile in local memory, of a work-group of one dimension.
void local_tiles(sycl::queue &queue) {
  const array<float> a(queue, count + 256);
  const array<float> out(queue, count);
  queue.submit([&](sycl::handler &handler) {
    const sycl::local_accessor<float, 2> tile({12, 16}, handler);
    handler.parallel_for(sycl::nd_range<1>(count, width), [=, a = a.data, out = out.data](sycl::nd_item<1> item) {
      const unsigned l = static_cast<unsigned>(item.get_local_id(0)), x = l % 16, y = l / 16;
      const std::size_t i = item.get_global_id(0);
      tile[y][x] = a[i];
      sycl::group_barrier(item.get_group());
      float sum = 0;
      for (unsigned k = 0; k < 12; ++k)
        sum += tile[k][x] + tile[y][k] * tile[y][15 - x];
      out[i] = sum;
    });
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t first = i / width * width, x = i % width % 16, y = i % width / 16;
    float sum = 0;
    for (std::size_t k = 0; k < 12; ++k)
      sum += a.data[first + k * 16 + x] +
            a.data[first + y * 16 + k] * a.data[first + y * 16 + 15 - x];
    CHECK(out.data[i] == sum);
  }
}

// Loads and stores in reverse order, of all work-items and of some.
template <class T> void reversed(sycl::queue &queue, std::size_t items) {
  const array<T> a(queue, items + 4), b(queue, items + 4), some(queue, items + 4);
  queue.parallel_for(sycl::range<1>(items), [=, a = a.data, b = b.data, some = some.data](sycl::id<1> id) {
    const std::size_t i = id[0];
    T sum = T(0);
    for (std::size_t k = 0; k < 4; ++k)
      sum = static_cast<T>(sum + a[items - 1 - i + k] * T(static_cast<int>(k) - 1));
    b[items - 1 - i] = sum;
    if (a[items - 1 - i] > T(0))
      for (std::size_t k = 0; k < 3; ++k)
        some[items - 1 - i] = static_cast<T>(some[items - 1 - i] + b[items - 1 - i]);
  });
  queue.wait();
  for (std::size_t at = 0; at < items; ++at) {
    T sum = T(0);
    for (std::size_t k = 0; k < 4; ++k)
      sum = static_cast<T>(sum + a.data[at + k] * T(static_cast<int>(k) - 1));
    CHECK(b.data[at] == sum);
    T other = T(input(at));
    for (int k = 0; k < 3 && a.data[at] > T(0); ++k)
      other = static_cast<T>(other + sum);
    CHECK(some.data[at] == other);
  }
  for (std::size_t at = items; at < items + 4; ++at)
    CHECK(b.data[at] == T(input(at)) && some.data[at] == T(input(at)));
}

} // namespace

int main() {
  sycl::queue queue;
  for (const std::size_t items : {count, groups * 83}) {
    tiles<std::size_t>(queue, 0, items);
    tiles<std::size_t>(queue, 7, items);
    tiles<int>(queue, 0, items);
    tiles<int>(queue, 16, items);
    tiles<unsigned>(queue, 0, items);
    tiles<unsigned>(queue, 5, items);
    tiles<unsigned char>(queue, 0, items);
    tiles<short>(queue, 64, items);
  }
  local_tiles(queue);
  for (const std::size_t items : {count, std::size_t(1), std::size_t(101)}) {
    reversed<signed char>(queue, items);
    reversed<short>(queue, items);
    reversed<int>(queue, items);
    reversed<float>(queue, items);
    reversed<long long>(queue, items);
    reversed<double>(queue, items);
  }
  return pass();
}
