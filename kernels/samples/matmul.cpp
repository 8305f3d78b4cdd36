// Product of two square matrices by tiles in local memory: matmul [SIZE]
//
// Each work-group computes one tile of the result. It loads a tile of each factor into local
// memory, waits at a barrier, multiplies, waits, and continues with the next pair of tiles.
#include "sample.hpp"

#include <cmath>

namespace {

constexpr std::size_t tile = 16;

void multiply(sycl::queue &queue, std::size_t size, const float *a, const float *b, float *c) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<float, 2> tile_a({tile, tile}, group), tile_b({tile, tile}, group);
    const sycl::nd_range<2> range({size, size}, {tile, tile});
    group.parallel_for<class matmul>(range, [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
      const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
      float sum = 0;
      for (std::size_t first = 0; first < size; first += tile) {
        tile_a[y][x] = a[row * size + first + x];
        tile_b[y][x] = b[(first + y) * size + column];
        sycl::group_barrier(item.get_group());
        for (std::size_t k = 0; k < tile; ++k)
          sum += tile_a[y][k] * tile_b[k][x];
        sycl::group_barrier(item.get_group());
      }
      c[row * size + column] = sum;
    });
  });
}

float element(std::size_t index) { return static_cast<float>(sample::noise(index) % 17) - 8; }

// The factors are small integers, so that sums are exact in any order.
bool check(const std::vector<float> &a, const std::vector<float> &b, const std::vector<float> &c, std::size_t size) {
  for (std::size_t row = 0; row < size; ++row) {
    std::vector<float> wanted(size, 0.0f);
    for (std::size_t k = 0; k < size; ++k)
      for (std::size_t column = 0; column < size; ++column)
        wanted[column] += a[row * size + k] * b[k * size + column];
    for (std::size_t column = 0; column < size; ++column)
      if (c[row * size + column] != wanted[column]) {
        std::printf("row %zu, column %zu: %g instead of %g\n", row, column, double(c[row * size + column]),
                    double(wanted[column]));
        return false;
      }
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  const std::size_t size = sample::number(argc, argv, 1, 512, tile);
  sycl::queue queue{sycl::property::queue::in_order()};
  std::vector<float> a(size * size), b(size * size);
  for (std::size_t i = 0; i < size * size; ++i) {
    a[i] = element(i);
    b[i] = element(i + size * size);
  }
  sample::memory<float> left(queue, a), right(queue, b), product(queue, size * size);
  sample::timed("matmul", queue, [&] { multiply(queue, size, left.get(), right.get(), product.get()); });
  return sample::verdict(check(a, b, product.read(), size));
}
