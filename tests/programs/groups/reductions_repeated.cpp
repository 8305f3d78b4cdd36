// Equal sums are bitwise equal in each run, even if several threads share a queue and others use
// other queues.
// levels: 2
#include "shapes.hpp"

#include <thread>

namespace {

constexpr int count = 50000;

std::uint32_t bits(float x) { return sycl::bit_cast<std::uint32_t>(x); }

// The sum of a range and of an nd_range.
void sums(sycl::queue &queue, const float *in, float *out) {
  const sycl::property_list properties{sycl::property::reduction::initialize_to_identity()};
  queue.parallel_for(sycl::range<1>(count), sycl::reduction(&out[0], sycl::plus<>(), properties),
                     [=](sycl::id<1> i, auto &sum) { sum += in[i]; });
  queue.parallel_for(sycl::nd_range<1>(count, 50), sycl::reduction(&out[1], sycl::plus<>(), properties),
                     [=](sycl::nd_item<1> i, auto &sum) { sum += in[i.get_global_id(0)]; });
}

void repeat(sycl::queue queue, const float *in, const float *expected) {
  shared_array<float> out(queue, 40);
  for (int run = 0; run < 20; ++run)
    sums(queue, in, &out[2 * run]);
  queue.wait();
  for (int i = 0; i < 40; ++i)
    CHECK_EQUAL(bits(out[i]), bits(expected[i % 2]));
}

} // namespace

int main() {
  sycl::queue queue;
  shared_array<float> in(queue, count), expected(queue, 2);
  double exact = 0;
  for (int i = 0; i < count; ++i) {
    in[i] = 1.0f / static_cast<float>(1 + i * 7919 % 10007);
    exact += in[i];
  }
  sums(queue, in.get(), expected.get());
  queue.wait();
  CHECK(__builtin_fabs(expected[0] - exact) < 1e-3 * exact && __builtin_fabs(expected[1] - exact) < 1e-3 * exact);
  std::thread threads[4];
  for (int i = 0; i < 4; ++i)
    threads[i] = std::thread(repeat, i < 2 ? queue : sycl::queue(), in.get(), expected.get());
  for (std::thread &one : threads)
    one.join();
  return pass();
}
