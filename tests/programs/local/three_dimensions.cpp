// A three-dimensional local accessor: each group mirrors its block of a volume in all directions.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  const sycl::range<3> global(6, 8, 20), local(3, 4, 5);
  int *in = sycl::malloc_shared<int>(global.size(), queue);
  int *out = sycl::malloc_shared<int>(global.size(), queue);
  for (std::size_t i = 0; i < global.size(); ++i)
    in[i] = static_cast<int>(i * 3 + 1);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 3> block(local, cgh);
    cgh.parallel_for(sycl::nd_range<3>(global, local), [=](sycl::nd_item<3> item) {
      const std::size_t z = item.get_local_id(0), y = item.get_local_id(1), x = item.get_local_id(2);
      block[z][y][x] = in[item.get_global_linear_id()];
      sycl::group_barrier(item.get_group());
      const sycl::range<3> size = block.get_range();
      const sycl::id<3> opposite(size[0] - 1 - z, size[1] - 1 - y, size[2] - 1 - x);
      const int value = block[opposite] + 0 * block[opposite[0]][opposite[1]][opposite[2]];
      // The accessor stores its elements in row-major order.
      const std::size_t place = (opposite[0] * size[1] + opposite[1]) * size[2] + opposite[2];
      const bool linear = &block[opposite] == block.begin() + place;
      out[item.get_global_linear_id()] = linear ? value : -1;
    });
  });
  queue.wait();
  const auto at = [&](std::size_t z, std::size_t y, std::size_t x) { return (z * 8 + y) * 20 + x; };
  for (std::size_t z = 0; z < 6; ++z)
    for (std::size_t y = 0; y < 8; ++y)
      for (std::size_t x = 0; x < 20; ++x) {
        const std::size_t from = at(z / 3 * 3 + 2 - z % 3, y / 4 * 4 + 3 - y % 4, x / 5 * 5 + 4 - x % 5);
        CHECK_EQUAL(out[at(z, y, x)], in[from]);
      }
  sycl::free(in, queue);
  sycl::free(out, queue);
  return pass();
}
