// Interface of a reducer: operators, identity, spans of variables; and the forms of a launch with
// reductions.
// levels: 0 2
#include "shapes.hpp"

namespace {

template <class R> constexpr bool is_reducer_of_int = std::is_same_v<typename R::value_type, int> && R::dimensions == 0;

void check_operators(sycl::queue &queue) {
  shared_array<int> out(queue, 6);
  const int start[6] = {1, 2, 0xfff, 0x100, 0x55, 0};
  for (int i = 0; i < 6; ++i)
    out[i] = start[i];
  queue.parallel_for(sycl::range<1>(5), sycl::reduction(&out[0], sycl::plus<int>()),
                     sycl::reduction(&out[1], sycl::multiplies<>()), sycl::reduction(&out[2], sycl::bit_and<>()),
                     sycl::reduction(&out[3], sycl::bit_or<int>()), sycl::reduction(&out[4], sycl::bit_xor<>()),
                     sycl::reduction(&out[5], sycl::plus<>()),
                     [](sycl::id<1> id, auto &sum, auto &product, auto &all, auto &any, auto &odd, auto &count) {
                       static_assert(is_reducer_of_int<std::remove_reference_t<decltype(sum)>>);
                       static_assert(!std::is_copy_constructible_v<std::remove_reference_t<decltype(sum)>>);
                       const int i = static_cast<int>(id[0]);
                       (sum += i) += sum.identity();
                       product *= i + 1;
                       all &= ~(1 << i);
                       any |= 1 << i;
                       odd ^= i * 3;
                       ++count;
                       count.combine(product.identity()).combine(1);
                     });
  queue.wait();
  const int expected[6] = {11, 240, 0xfe0, 0x11f, 0x55 ^ 0 ^ 3 ^ 6 ^ 9 ^ 12, 15};
  for (int i = 0; i < 6; ++i)
    CHECK_EQUAL(out[i], expected[i]);
}

void check_rows(sycl::queue &queue) {
  shared_array<int> histogram(queue, 8), lows(queue, 2);
  for (int i = 0; i < 8; ++i)
    histogram[i] = i;
  lows[0] = lows[1] = -1;
  queue.parallel_for(sycl::range<1>(1003), sycl::reduction(sycl::span<int, 8>(histogram.get(), 8), sycl::plus<>()),
                     sycl::reduction(sycl::span<int, 2>(lows.get(), 2), sycl::minimum<>(),
                                     {sycl::property::reduction::initialize_to_identity()}),
                     [](int i, auto &bins, auto &low) {
                       bins[i % 8] += 1;
                       if (i % 2 == 0)
                         ++bins[(i + 1) % 8];
                       else
                         bins[(i + 1) % 8]++;
                       low[i % 2].combine(1000 - i);
                     });
  queue.parallel_for(sycl::nd_range<1>(64, 32),
                     sycl::reduction(sycl::span<int, 8>(histogram.get(), 8), 0, [](int a, int b) { return a + b; }),
                     [](sycl::nd_item<1> item, auto &bins) { bins[item.get_global_id(0) % 8].combine(100); });
  queue.wait();
  for (int i = 0; i < 8; ++i) {
    int count = i + 800;
    for (int k = 0; k < 1003; ++k)
      count += (k % 8 == i) + ((k + 1) % 8 == i);
    CHECK_EQUAL(histogram[i], count);
  }
  CHECK_EQUAL(lows[0], -2);
  CHECK_EQUAL(lows[1], -1);
}

// A type whose assignment is not trivial: the minimum with its position.
void check_pairs(sycl::queue &queue) {
  using place = std::pair<float, int>;
  shared_array<place> least(queue, 2);
  least[0] = least[1] = place(1e9f, -1);
  const auto value = [](int i) { return static_cast<float>((i * 7919 + 13) % 1009); };
  const sycl::minimum<place> lesser;
  queue.parallel_for(sycl::range<1>(1000), sycl::reduction(&least[0], place(1e9f, -1), lesser),
                     [=](int i, auto &found) { found.combine({value(i), i}); });
  queue.parallel_for(sycl::nd_range<1>(1024, 32), sycl::reduction(&least[1], lesser), [=](auto item, auto &found) {
    const int i = static_cast<int>(item.get_global_id(0));
    if (i < 1000)
      found.combine({value(i), i});
  });
  queue.wait();
  place expected(1e9f, -1);
  for (int i = 0; i < 1000; ++i)
    expected = std::min(expected, place(value(i), i));
  for (int i = 0; i < 2; ++i) {
    CHECK_EQUAL(least[i].first, expected.first);
    CHECK_EQUAL(least[i].second, expected.second);
  }
}

struct functor {
  int factor;
  template <class Sum> void operator()(sycl::id<1> i, Sum &sum) const { sum += factor * static_cast<int>(i[0]); }
};

void check_forms(sycl::queue &queue) {
  shared_array<int> out(queue, 1);
  out[0] = 0;
  const auto sum = sycl::reduction(out.get(), sycl::plus<>());
  const auto add = [](sycl::id<1>, auto &s) { s += 1; };
  const sycl::event first = queue.parallel_for(sycl::range<1>(10), sum, add);
  const sycl::event second = queue.parallel_for(sycl::range<1>(10), first, sum, add);
  const sycl::event third = queue.parallel_for(sycl::range<1>(10), std::vector<sycl::event>{first, second}, sum, add);
  queue.parallel_for(10, sum, functor{2});
  queue.parallel_for({2, 5}, third, sum, [](sycl::id<2>, auto &s) { s += 1; });
  queue.parallel_for(sycl::nd_range<1>(10, 5), third, sum, [](sycl::nd_item<1>, auto &s) { s += 1; });
  queue.submit([&](sycl::handler &handler) {
    handler.depends_on(third);
    handler.parallel_for<class with_a_name>(sycl::nd_range<2>({2, 5}, {1, 5}), sum,
                                            [](sycl::nd_item<2>, auto &s, sycl::kernel_handler) { s += 1; });
  });
  queue.wait();
  CHECK_EQUAL(out[0], 60 + 90);
}

void check_errors(sycl::queue &queue) {
  shared_array<int> out(queue, 1);
  try {
    sycl::reduction(out.get(), [](int a, int b) { return a + b; },
                    {sycl::property::reduction::initialize_to_identity()});
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
  }
}

} // namespace

int main() {
  sycl::queue queue;
  check_operators(queue);
  check_rows(queue);
  check_pairs(queue);
  check_forms(queue);
  check_errors(queue);
  return pass();
}
