// sycl::reduction over nd_ranges, with SYCL's operations and with user-defined ones.
// levels: 2
#include "shapes.hpp"

namespace {

struct extremes {
  float least, most;
  int count;
};
struct widen {
  extremes operator()(const extremes &a, const extremes &b) const {
    return {a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most, a.count + b.count};
  }
};

constexpr extremes none{1e30f, -1e30f, 0};

template <int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size();
  shared_array<long> sum(queue, 1), xors(queue, 1);
  shared_array<extremes> known(queue, 1), unknown(queue, 1);
  sum[0] = 7;
  xors[0] = 99;
  known[0] = none;
  unknown[0] = {3.0f, 3.5f, 1};
  const auto combine = [](long a, long b) { return a ^ b; };
  queue.parallel_for(shape, sycl::reduction(sum.get(), sycl::plus<>()),
                     sycl::reduction(xors.get(), 0L, combine,
                                     {sycl::property::reduction::initialize_to_identity()}),
                     sycl::reduction(known.get(), none, widen()), sycl::reduction(unknown.get(), widen()),
                     [=](sycl::nd_item<D> item, auto &sum, auto &xors, auto &known, auto &unknown) {
                       const long at = static_cast<long>(item.get_global_linear_id());
                       sum += at;
                       xors.combine(at * 3);
                       known.combine({float(at), float(at), 1});
                       // Not every item has a value.
                       if (at % 3 == 1)
                         unknown.combine({-float(at), float(at), 1});
                     });
  queue.wait();
  long total = 7, bits = 0;
  extremes found{3.0f, 3.5f, 1};
  for (long i = 0; i < static_cast<long>(count); ++i) {
    total += i;
    bits ^= i * 3;
    if (i % 3 == 1)
      found = widen()(found, {-float(i), float(i), 1});
  }
  CHECK_EQUAL(sum[0], total);
  CHECK_EQUAL(xors[0], bits);
  CHECK_EQUAL(known[0].least, 0.0f);
  CHECK_EQUAL(known[0].most, float(count - 1));
  CHECK_EQUAL(known[0].count, int(count));
  CHECK_EQUAL(unknown[0].least, found.least);
  CHECK_EQUAL(unknown[0].most, found.most);
  CHECK_EQUAL(unknown[0].count, found.count);
}

// Collectives and local memory in a kernel with a reduction.
void check_company(sycl::queue &queue) {
  shared_array<int> most(queue, 1);
  most[0] = 0;
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<int, 1> local(sycl::range<1>(32), handler);
    handler.parallel_for(sycl::nd_range<1>(96, 32), sycl::reduction(most.get(), sycl::maximum<>()),
                         [=](sycl::nd_item<1> item, auto &result) {
                           local[31 - item.get_local_id(0)] = static_cast<int>(item.get_global_id(0));
                           sycl::group_barrier(item.get_group());
                           result.combine(sycl::reduce_over_group(item.get_group(), local[item.get_local_id(0)],
                                                                  sycl::plus<>()));
                         });
  });
  queue.wait();
  CHECK_EQUAL(most[0], (64 + 95) * 16);
}

// No work-items: the variable keeps its value, or gets the identity.
void check_empty(sycl::queue &queue) {
  shared_array<int> kept(queue, 1), cleared(queue, 1);
  kept[0] = cleared[0] = 5;
  const auto add = [](sycl::nd_item<1>, auto &a, auto &b) {
    a += 1;
    b += 1;
  };
  queue.parallel_for(sycl::nd_range<1>(0, 8), sycl::reduction(kept.get(), sycl::plus<>()),
                     sycl::reduction(cleared.get(), sycl::plus<>(),
                                     {sycl::property::reduction::initialize_to_identity()}),
                     add);
  queue.wait();
  CHECK_EQUAL(kept[0], 5);
  CHECK_EQUAL(cleared[0], 0);
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) { check(q, shape); });
  check(queue, sycl::nd_range<1>(70000, 7));
  check_company(queue);
  check_empty(queue);
  return pass();
}
