// Commands of one queue run in the order of their submission.
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  CHECK(queue.is_in_order());
  CHECK(queue.has_property<sycl::property::queue::in_order>());
  constexpr std::size_t size = 503;
  unsigned *data = sycl::malloc_device<unsigned>(size, queue), *host = sycl::malloc_host<unsigned>(size, queue);
  queue.fill(data, 1u, size);
  for (unsigned step = 0; step < 200; ++step) {
    if (step % 2 == 0)
      queue.parallel_for(size, [=](sycl::id<1> i) { data[i] = data[i] * 3 + step; });
    else
      queue.parallel_for(sycl::nd_range<1>(size, 1),
                         [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] ^= step; });
  }
  queue.memcpy(host, data, size * sizeof(unsigned));
  queue.wait();
  unsigned expected = 1;
  for (unsigned step = 0; step < 200; ++step)
    expected = step % 2 == 0 ? expected * 3 + step : expected ^ step;
  for (std::size_t i = 0; i < size; ++i)
    CHECK_EQUAL(host[i], expected);
  sycl::free(data, queue);
  sycl::free(host, queue);
  return pass();
}
