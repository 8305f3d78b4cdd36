// A group function called by a function of another translation unit, which takes the nd_item by
// reference.
// sources: other.cpp
// levels: 0 2
#include "../shapes.hpp"

SYCL_EXTERNAL int sum_before(const sycl::nd_item<1> &item, int x);
SYCL_EXTERNAL void wait_for_group(sycl::group<1> group);

int main() {
  sycl::queue queue;
  for (const auto &shape : lines) {
    const std::size_t count = shape.get_global_range()[0], width = shape.get_local_range()[0];
    shared_array<int> out(queue, count), turned(queue, count);
    queue.parallel_for(shape, [=, out = out.get(), turned = turned.get()](sycl::nd_item<1> item) {
      const std::size_t at = item.get_global_id(0), self = item.get_local_id(0);
      out[at] = sum_before(item, static_cast<int>(self) + 1);
      wait_for_group(item.get_group());
      turned[at] = out[at - self + (width - 1 - self)];
    });
    queue.wait();
    for (std::size_t i = 0; i < count; ++i) {
      const int self = static_cast<int>(i % width), opposite = static_cast<int>(width) - 1 - self;
      CHECK_EQUAL(out[i], self * (self + 1) / 2);
      CHECK_EQUAL(turned[i], opposite * (opposite + 1) / 2);
    }
  }
  return pass();
}
