// Consecutive collectives, in loops, in functions and with local memory: they do not interfere.
// levels: 0 2
#include "shapes.hpp"

namespace {

// Values of different types share the memory that a device uses for collectives.
double mixed(const sycl::group<1> &group, int x) {
  const char small = sycl::group_broadcast(group, static_cast<char>(x % 7), 0);
  const double large = sycl::reduce_over_group(group, x * 0.5, sycl::plus<>());
  const short middle = sycl::inclusive_scan_over_group(group, static_cast<short>(x), sycl::maximum<>());
  return small + large + middle;
}

void check(sycl::queue &queue, const sycl::nd_range<1> &shape) {
  const std::size_t count = shape.get_global_range()[0], width = shape.get_local_range()[0];
  shared_array<double> out(queue, count);
  shared_array<int> steps(queue, count);
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<int, 1> local(sycl::range<1>(width), handler);
    handler.parallel_for(shape, [=, out = out.get(), steps = steps.get()](sycl::nd_item<1> item) {
      const auto group = item.get_group();
      const std::size_t self = item.get_local_id(0);
      local[self] = static_cast<int>(self);
      double sum = 0;
      int left = static_cast<int>(width), rounds = 0;
      // The number of iterations is uniform, and known only on the device.
      while (sycl::any_of_group(group, left > 0)) {
        sum += mixed(group, local[width - 1 - self] + rounds);
        left -= sycl::reduce_over_group(group, 1, sycl::plus<>()) / 2 + 1;
        ++rounds;
      }
      out[item.get_global_id(0)] = sum;
      steps[item.get_global_id(0)] = rounds;
    });
  });
  queue.wait();
  int rounds = 0;
  for (int left = static_cast<int>(width); left > 0; left -= static_cast<int>(width) / 2 + 1)
    ++rounds;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int round = 0; round < rounds; ++round) {
      const int highest = static_cast<int>(width) - 1 + round;
      const int total = static_cast<int>(width) * (static_cast<int>(width) - 1) / 2 + round * static_cast<int>(width);
      // The values decrease with the id, so the running maximum is the first one.
      sum += highest % 7 + total * 0.5 + highest;
    }
    CHECK_EQUAL(steps[i], rounds);
    CHECK_EQUAL(out[i], sum);
  }
}

// The order of a sum is fixed: bitwise equal in each run.
void check_order(sycl::queue &queue) {
  shared_array<float> out(queue, 512);
  for (int run = 0; run < 5; ++run) {
    queue.parallel_for(sycl::nd_range<1>(512, 256), [out = out.get()](sycl::nd_item<1> item) {
      const float x = 1.0f / static_cast<float>(item.get_local_id(0) + 1);
      out[item.get_global_id(0)] = sycl::reduce_over_group(item.get_group(), x, sycl::plus<>());
    });
    queue.wait();
    const float before = out[0];
    float sum = 0;
    for (int i = 0; i < 256; ++i)
      sum += 1.0f / static_cast<float>(i + 1);
    CHECK(__builtin_fabsf(before - sum) < 1e-4f);
    for (int i = 0; i < 512; ++i)
      CHECK_EQUAL(out[i], before);
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for (const auto &shape : lines)
    check(queue, shape);
  check_order(queue);
  return pass();
}
