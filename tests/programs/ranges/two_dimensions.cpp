// Every item of a two-dimensional range runs exactly once, and dimension 1 is contiguous.
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  constexpr std::size_t room = 20000;
  int *seen = sycl::malloc_shared<int>(room, queue);
  const sycl::range<2> sizes[] = {{0, 5}, {5, 0},   {1, 1},   {1, 7},    {7, 1},    {13, 17},
                                  {31, 33}, {64, 64}, {3, 1000}, {101, 103}, {127, 129}};
  for (const sycl::range<2> size : sizes) {
    queue.memset(seen, 0, room * sizeof(int)).wait();
    queue.parallel_for(size, [=](sycl::item<2> item) {
      const std::size_t row = item[0], column = item[1];
      seen[row * item.get_range(1) + column] += static_cast<int>(1000 * row + column + 1);
    });
    queue.wait();
    for (std::size_t row = 0; row < size[0]; ++row)
      for (std::size_t column = 0; column < size[1]; ++column)
        CHECK_EQUAL(seen[row * size[1] + column], 1000 * row + column + 1);
    for (std::size_t i = size.size(); i < size.size() + 300 && i < room; ++i)
      CHECK_EQUAL(seen[i], 0);
  }
  sycl::free(seen, queue);
  return pass();
}
