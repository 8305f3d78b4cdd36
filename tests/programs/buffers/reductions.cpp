// Reductions into buffers.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <vector>

int main() {
  sycl::queue queue;
  std::vector<int> values(1000);
  for (int i = 0; i < 1000; ++i)
    values[i] = i % 17;
  int sum = 100, largest = 0;
  {
    sycl::buffer<int> input(values), total(&sum, sycl::range<1>(1)), most(&largest, sycl::range<1>(1));
    for (int round = 0; round < 5; ++round)
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor elements(input, handler, sycl::read_only);
        auto add = sycl::reduction(total, handler, sycl::plus<>());
        auto max = sycl::reduction(most, handler, 0, sycl::maximum<int>());
        handler.parallel_for(sycl::range<1>(1000), add, max, [=](sycl::id<1> i, auto &to, auto &high) {
          to += elements[i];
          high.combine(elements[i]);
        });
      });
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(input, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(1000, [=](sycl::id<1> i) { elements[i] = 1; });
    });
  }
  int expected = 0;
  for (int i = 0; i < 1000; ++i)
    expected += i % 17;
  CHECK_EQUAL(sum, 100 + 5 * expected);
  CHECK_EQUAL(largest, 16);
  {
    sycl::buffer<int> total(&sum, sycl::range<1>(1)), wrong{sycl::range<1>(2)};
    queue.submit([&](sycl::handler &handler) {
      auto add = sycl::reduction(total, handler, sycl::plus<>(), sycl::property::reduction::initialize_to_identity());
      handler.parallel_for(sycl::nd_range<1>(64, 16), add, [=](sycl::nd_item<1>, auto &to) { to += 2; });
    });
    bool caught = false;
    try {
      queue.submit([&](sycl::handler &handler) { sycl::reduction(wrong, handler, sycl::plus<>()); });
    } catch (const sycl::exception &error) {
      caught = error.code() == sycl::errc::invalid;
    }
    CHECK(caught);
  }
  CHECK_EQUAL(sum, 128);
  {
    sycl::buffer<int> total(&sum, sycl::range<1>(1)), largest_of(&largest, sycl::range<1>(1));
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor all(total, handler), one(largest_of, handler);
      auto add = sycl::reduction(all, sycl::plus<>());
      auto high = sycl::reduction(one, 3, sycl::maximum<>(), sycl::property::reduction::initialize_to_identity());
      handler.parallel_for(10, add, high, [=](sycl::id<1> i, auto &to, auto &highest) {
        to += 1;
        highest.combine(int(i[0]) - 20);
      });
    });
    sycl::buffer<const int> fixed = total;
    CHECK_EQUAL(sycl::host_accessor(fixed)[0], 138);
  }
  CHECK_EQUAL(sum, 138);
  CHECK_EQUAL(largest, 3);
  std::puts("PASS");
}
