// Kernels in groups of two and three dimensions, whose work-items run in several lines side by side
// on the host: values that a line shares, lines that part, private memory, and equal addresses.
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <vector>

namespace {

constexpr int width = 32, height = 16;
constexpr int count = width * height;

int input(int i) { return (i * 37 + 11) % 101 - 50; }

struct pair {
  int low;
  unsigned char high;
};

// The result of the work-item at (x, y); `wide` is the width of the arrays.
int product(const int *a, const int *b, int x, int y, int wide) {
  int sum = 0;
  for (int k = 0; k < wide; ++k)
    sum += a[y % 8 * wide + k] * b[k % 8 * wide + x];
  return sum;
}

// Rounds that depend on the line alone, then on the work-item; a division by the line's number.
int rounds(const int *a, int x, int y) {
  int steps = 0;
  for (int left = a[y]; left > -60; left -= y % 3 + 2)
    steps += left / (y - 2 == 0 ? 5 : y - 2);
  for (int k = y; k > 0 && a[(k * 5 + x) % count] % 7 != 3; --k)
    ++steps;
  if (y % 2 == 1)
    steps += a[y * 3] * 2;
  if (y % 4 == 2 && x % 3 == 1)
    return -steps;
  return steps;
}

// Private memory with an index that differs between lines, and structures.
int remembered(const int *a, int x, int y) {
  int last[4] = {1, 2, 3, 4};
  pair kept[3] = {{x, 1}, {y, 2}, {x + y, 3}};
  for (int k = 0; k < 9; ++k) {
    last[(y + k) % 4] += a[(x + k) % count];
    kept[(x + y + k) % 3].low ^= last[y % 4];
    kept[y % 3].high = static_cast<unsigned char>(kept[y % 3].high + k);
  }
  return last[x % 4] + kept[0].low * 3 + kept[1].low * 5 + kept[2].low * 7 + kept[0].high + kept[y % 3].high;
}

template <class F> void run(sycl::queue &queue, sycl::range<2> group, int *out, F value) {
  queue
      .parallel_for(sycl::nd_range<2>({height, width}, group),
                    [=](sycl::nd_item<2> item) {
                      const int y = static_cast<int>(item.get_global_id(0)), x = static_cast<int>(item.get_global_id(1));
                      out[y * width + x] = value(x, y);
                    })
      .wait();
}

template <class F> void check(const int *out, F value) {
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      CHECK_EQUAL(out[y * width + x], value(x, y));
}

// Tiles in local memory, with values that are kept across the barriers.
void tiles(sycl::queue &queue, sycl::range<2> group, const int *a, int *out) {
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<int, 2> tile(group, handler);
        handler.parallel_for(sycl::nd_range<2>({height, width}, group), [=](sycl::nd_item<2> item) {
          const int v = static_cast<int>(item.get_local_id(0)), u = static_cast<int>(item.get_local_id(1));
          const int y = static_cast<int>(item.get_global_id(0)), x = static_cast<int>(item.get_global_id(1));
          const int high = static_cast<int>(group[0]), wide = static_cast<int>(group[1]);
          int sum = y * 1000 + x;
          for (int round = 0; round < 3; ++round) {
            tile[v][u] = a[(y * width + x + round) % count] + y;
            sycl::group_barrier(item.get_group());
            for (int k = 0; k < wide; ++k)
              sum = sum * 3 + tile[v][k] - tile[k % high][u];
            sycl::group_barrier(item.get_group());
          }
          out[y * width + x] = sum;
        });
      })
      .wait();
}

void check_tiles(sycl::range<2> group, const int *a, const int *out) {
  const int high = static_cast<int>(group[0]), wide = static_cast<int>(group[1]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const int top = y / high * high, left = x / wide * wide;
      unsigned sum = static_cast<unsigned>(y * 1000 + x);
      for (int round = 0; round < 3; ++round) {
        const auto tile = [&](int v, int u) { return a[((top + v) * width + left + u + round) % count] + top + v; };
        for (int k = 0; k < wide; ++k)
          sum = sum * 3 + static_cast<unsigned>(tile(y - top, k)) - static_cast<unsigned>(tile(k % high, x - left));
      }
      CHECK_EQUAL(out[y * width + x], static_cast<int>(sum));
    }
}

// Work-items of a group write to one place in turn, each what it reads there and its number.
void one_place(sycl::queue &queue, const int *a, int *out) {
  queue
      .parallel_for(sycl::nd_range<3>({4, 8, 8}, {2, 8, 8}),
                    [=](sycl::nd_item<3> item) {
                      const int z = static_cast<int>(item.get_global_id(0)), y = static_cast<int>(item.get_global_id(1)),
                                x = static_cast<int>(item.get_global_id(2));
                      int sum = 0;
                      for (int k = 0; k < a[z] + 60; ++k)
                        sum += a[(y * 8 + k) % count] + a[(k * 8 + x) % count];
                      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> total(out[z]);
                      total += sum + y * x;
                    })
      .wait();
}

void check_one_place(const int *a, const int *out) {
  for (int z = 0; z < 4; ++z) {
    int total = 0;
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 8; ++x) {
        for (int k = 0; k < a[z] + 60; ++k)
          total += a[(y * 8 + k) % count] + a[(k * 8 + x) % count];
        total += y * x;
      }
    CHECK_EQUAL(out[z], total);
  }
}

} // namespace

int main() {
  sycl::queue queue;
  int *const a = sycl::malloc_shared<int>(count, queue), *const out = sycl::malloc_shared<int>(count, queue);
  for (int i = 0; i < count; ++i)
    a[i] = input(i);
  for (const sycl::range<2> group : {sycl::range<2>(8, 8), {16, 4}, {2, 32}, {4, 16}, {1, 16}, {16, 1}, {8, 2}}) {
    const auto multiplied = [=](int x, int y) { return product(a, a + count / 2, x, y, width); };
    run(queue, group, out, multiplied);
    check(out, multiplied);
    const auto counted = [=](int x, int y) { return rounds(a, x, y); };
    run(queue, group, out, counted);
    check(out, counted);
    const auto kept = [=](int x, int y) { return remembered(a, x, y); };
    run(queue, group, out, kept);
    check(out, kept);
    tiles(queue, group, a, out);
    check_tiles(group, a, out);
  }
  for (int z = 0; z < 4; ++z)
    out[z] = 0;
  one_place(queue, a, out);
  check_one_place(a, out);
  sycl::free(a, queue);
  sycl::free(out, queue);
  return pass();
}
