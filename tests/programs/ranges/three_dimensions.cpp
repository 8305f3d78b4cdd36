// Every item of a three-dimensional range runs exactly once with its own index and linear id.
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  constexpr std::size_t room = 50000;
  std::size_t *seen = sycl::malloc_shared<std::size_t>(room, queue);
  const sycl::range<3> sizes[] = {{1, 1, 1}, {0, 3, 3},   {3, 0, 3},  {3, 3, 0},    {1, 1, 97}, {1, 97, 1},
                                  {97, 1, 1}, {5, 7, 11}, {16, 8, 4}, {29, 31, 37}, {2, 3, 4099}};
  for (const sycl::range<3> size : sizes) {
    queue.memset(seen, 0, room * sizeof(*seen));
    queue.parallel_for(size, [=](sycl::item<3> item) {
      const std::size_t code = (item.get_id(0) * 10000 + item.get_id(1)) * 10000 + item.get_id(2);
      seen[item.get_linear_id()] += code + 1;
    });
    queue.wait();
    std::size_t next = 0;
    for (std::size_t i = 0; i < size[0]; ++i)
      for (std::size_t j = 0; j < size[1]; ++j)
        for (std::size_t k = 0; k < size[2]; ++k)
          CHECK_EQUAL(seen[next++], (i * 10000 + j) * 10000 + k + 1);
    CHECK_EQUAL(next, size.size());
    CHECK_EQUAL(seen[next], 0);
  }
  sycl::free(seen, queue);
  return pass();
}
