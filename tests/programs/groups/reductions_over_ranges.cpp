// sycl::reduction over ranges: operations, initial values, several variables at once, ranges of any
// size.
// levels: 0 2
#include "shapes.hpp"

namespace {

template <class T, class Operation>
void check_operation(sycl::queue &queue, std::size_t count, Operation operation, T start, bool replace, T identity) {
  shared_array<T> out(queue, 1);
  out[0] = start;
  const sycl::property_list properties =
      replace ? sycl::property_list{sycl::property::reduction::initialize_to_identity()} : sycl::property_list{};
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::range<1>(count), sycl::reduction(out.get(), operation, properties),
                         [=](sycl::id<1> i, auto &result) { result.combine(value_at<T>(i[0])); });
  });
  queue.wait();
  T expected = replace ? identity : start;
  for (std::size_t i = 0; i < count; ++i)
    expected = static_cast<T>(operation(expected, value_at<T>(i)));
  CHECK_EQUAL(out[0], expected);
}

template <class T, class Operation>
void check_sizes(sycl::queue &queue, Operation operation, T start, T identity) {
  const std::size_t counts[] = {0, 1, 7, 1000, 100003};
  for (const std::size_t count : counts)
    for (const bool replace : {false, true})
      check_operation<T>(queue, count, operation, start, replace, identity);
}

// The index in all forms, in one to three dimensions: each index exactly once.
void check_indices(sycl::queue &queue) {
  shared_array<long> sum(queue, 4);
  for (int i = 0; i < 4; ++i)
    sum[i] = 0;
  const sycl::plus<> plus;
  queue.parallel_for(sycl::range<1>(1001), sycl::reduction(&sum[0], plus), [](int i, auto &s) { s += i + 1; });
  queue.parallel_for(sycl::range<2>(33, 41), sycl::reduction(&sum[1], plus),
                     [](sycl::item<2> i, auto &s) { s += long(i.get_id(0) * 1000 + i[1] + i.get_linear_id()); });
  queue.parallel_for(sycl::range<3>(5, 1, 7), sycl::reduction(&sum[2], plus),
                     [](sycl::id<3> i, auto &s) { s += long(i[0] * 10000 + i[1] * 100 + i[2] + 1); });
  queue.parallel_for(sycl::range<3>(4, 6, 10), sycl::reduction(&sum[3], plus),
                     [](auto i, auto &s) { s += i.get_range(1) == 6 ? long(i[0] * 100 + i[1] * 10 + i[2]) : 0; });
  queue.wait();
  long expected[4] = {1001 * 1002 / 2, 0, 0, 0};
  for (long i = 0; i < 33; ++i)
    for (long j = 0; j < 41; ++j)
      expected[1] += i * 1000 + j + i * 41 + j;
  for (long i = 0; i < 5; ++i)
    for (long k = 0; k < 7; ++k)
      expected[2] += i * 10000 + k + 1;
  for (long i = 0; i < 4; ++i)
    for (long j = 0; j < 6; ++j)
      for (long k = 0; k < 10; ++k)
        expected[3] += i * 100 + j * 10 + k;
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(sum[i], expected[i]);
}

// A range with an empty dimension has no index.
void check_empty(sycl::queue &queue) {
  shared_array<int> sum(queue, 1);
  sum[0] = 3;
  queue.parallel_for(sycl::range<2>(5, 0), sycl::reduction(sum.get(), sycl::plus<>()),
                     [](sycl::id<2>, auto &s) { s += 1; });
  queue.parallel_for(sycl::range<3>(2, 0, 4), sycl::reduction(sum.get(), sycl::plus<>()),
                     [](sycl::id<3>, auto &s) { s += 1; });
  queue.wait();
  CHECK_EQUAL(sum[0], 3);
}

void check_several(sycl::queue &queue) {
  constexpr int count = 5000;
  shared_array<int> in(queue, count), least(queue, 1), most(queue, 1);
  shared_array<double> sum(queue, 1);
  for (int i = 0; i < count; ++i)
    in[i] = i * 7919 % 5003 - 2000;
  least[0] = most[0] = in[0];
  sum[0] = 0.5;
  queue.parallel_for<class several>(
      sycl::range<1>(count), sycl::reduction(least.get(), sycl::minimum<>()),
      sycl::reduction(most.get(), sycl::maximum<int>()), sycl::reduction(sum.get(), sycl::plus<double>()),
      [in = in.get()](sycl::id<1> i, auto &low, auto &high, auto &total) {
        low.combine(in[i]);
        high.combine(in[i]);
        total += in[i];
        total += 1;
      });
  queue.wait();
  int low = in[0], high = in[0];
  double total = 0.5;
  for (int i = 0; i < count; ++i) {
    low = in[i] < low ? in[i] : low;
    high = in[i] > high ? in[i] : high;
    total += in[i] + 1;
  }
  CHECK_EQUAL(least[0], low);
  CHECK_EQUAL(most[0], high);
  CHECK_EQUAL(sum[0], total);
}

} // namespace

int main() {
  sycl::queue queue;
  check_sizes<int>(queue, sycl::plus<>(), 10, 0);
  check_sizes<unsigned char>(queue, sycl::plus<>(), 200, 0);
  check_sizes<unsigned long>(queue, sycl::multiplies<>(), 3, 1);
  check_sizes<float>(queue, sycl::maximum<>(), 4.5f, -__builtin_inff());
  check_sizes<short>(queue, sycl::minimum<short>(), 4, 32767);
  check_sizes<unsigned>(queue, sycl::bit_xor<>(), 77, 0);
  check_sizes<unsigned>(queue, sycl::bit_and<>(), 0xff, ~0u);
  check_sizes<bool>(queue, sycl::logical_and<>(), true, true);
  check_indices(queue);
  check_empty(queue);
  check_several(queue);
  return pass();
}
