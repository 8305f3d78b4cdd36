// A matrix product in tiles: two-dimensional local accessors, two barriers in each iteration of a
// loop.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr std::size_t rows = 48, inner = 80, columns = 64, tile = 16;

static void multiply(sycl::queue &queue, const float *a, const float *b, float *c) {
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<float, 2> tile_a(sycl::range<2>(tile, tile), cgh);
    sycl::local_accessor<float, 2> tile_b({tile, tile}, cgh);
    cgh.parallel_for(sycl::nd_range<2>({rows, columns}, {tile, tile}), [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
      const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
      float sum = 0;
      for (std::size_t start = 0; start < inner; start += tile) {
        tile_a[y][x] = a[row * inner + start + x];
        tile_b[sycl::id<2>(y, x)] = b[(start + y) * columns + column];
        sycl::group_barrier(item.get_group());
        for (std::size_t k = 0; k < tile; ++k)
          sum += tile_a[y][k] * tile_b[k][x];
        sycl::group_barrier(item.get_group());
      }
      c[row * columns + column] = sum;
    });
  });
}

int main() {
  sycl::queue queue;
  float *a = sycl::malloc_shared<float>(rows * inner, queue);
  float *b = sycl::malloc_shared<float>(inner * columns, queue);
  float *c = sycl::malloc_shared<float>(rows * columns, queue);
  // Small integers, so that the sum is exact in every order.
  for (std::size_t i = 0; i < rows * inner; ++i)
    a[i] = static_cast<float>(i * 7 % 13) - 6;
  for (std::size_t i = 0; i < inner * columns; ++i)
    b[i] = static_cast<float>(i * 5 % 11) - 5;
  multiply(queue, a, b, c);
  queue.wait();
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column) {
      float sum = 0;
      for (std::size_t k = 0; k < inner; ++k)
        sum += a[row * inner + k] * b[k * columns + column];
      CHECK_EQUAL(c[row * columns + column], sum);
    }
  sycl::free(a, queue);
  sycl::free(b, queue);
  sycl::free(c, queue);
  return pass();
}
