// std::plus and the other standard function objects, typed and transparent, as operations of group
// algorithms and reductions.
#include <sycl/sycl.hpp>

#include <functional>

#include "../check.hpp"

namespace {

constexpr std::size_t items = 48;

// Results of a group for `value(i)`: a reduction, an inclusive scan and a joint algorithm.
template <class T, class Operation, class Value>
void check_group(sycl::queue &queue, Operation combine, const Value &value, T start) {
  T *out = sycl::malloc_shared<T>(2 * items + 2, queue), *in = out + items + 2;
  T all = start;
  for (std::size_t i = 0; i < items; ++i) {
    in[i] = value(i);
    all = static_cast<T>(combine(all, in[i]));
  }
  queue.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_local_linear_id();
    const T total = sycl::reduce_over_group(item.get_group(), in[i], combine);
    out[i] = sycl::inclusive_scan_over_group(item.get_group(), in[i], combine);
    const T joint = sycl::joint_reduce(item.get_group(), in, in + items, combine);
    if (item.get_group().leader())
      out[items] = total, out[items + 1] = joint;
  }).wait();
  CHECK(out[items] == all && out[items + 1] == all);
  T before = start;
  for (std::size_t i = 0; i < items; ++i)
    CHECK(out[i] == (before = static_cast<T>(combine(before, in[i]))));
  sycl::free(out, queue);
}

template <class T, class Operation, class Value>
void check_reduction(sycl::queue &queue, Operation combine, const Value &value, T start) {
  T *out = sycl::malloc_shared<T>(2, queue);
  out[0] = out[1] = start;
  T all = start;
  for (std::size_t i = 0; i < items; ++i)
    all = static_cast<T>(combine(all, value(i)));
  queue.parallel_for(sycl::range<1>(items), sycl::reduction(out, combine),
                     [=](sycl::id<1> i, auto &sum) { sum.combine(value(i)); });
  queue.parallel_for(sycl::nd_range<1>(items, 8), sycl::reduction(out + 1, combine),
                     [=](sycl::nd_item<1> item, auto &sum) { sum.combine(value(item.get_global_id(0))); }).wait();
  CHECK(out[0] == all && out[1] == all);
  sycl::free(out, queue);
}

template <class T, class Typed, class Transparent, class Value>
void check(sycl::queue &queue, Typed typed, Transparent transparent, const Value &value, T start) {
  check_group<T>(queue, typed, value, start);
  check_group<T>(queue, transparent, value, start);
  check_reduction<T>(queue, typed, value, start);
  check_reduction<T>(queue, transparent, value, start);
}

void check_operators(sycl::queue &queue) {
  int *out = sycl::malloc_shared<int>(2, queue);
  out[0] = 0, out[1] = 0;
  queue.parallel_for(sycl::range<1>(items), sycl::reduction(out, std::plus<>()), sycl::reduction(out + 1, std::bit_or<int>()),
                     [=](sycl::id<1> i, auto &sum, auto &bits) {
                       sum += 2;
                       ++sum;
                       bits |= int(i[0]);
                     }).wait();
  CHECK(out[0] == int(3 * items) && out[1] == 63);
  sycl::free(out, queue);
}

static_assert(sycl::has_known_identity_v<std::plus<>, int> && sycl::known_identity_v<std::multiplies<float>, float> == 1);
static_assert(sycl::known_identity_v<std::logical_and<>, bool> && !sycl::has_known_identity_v<std::minus<>, int>);

} // namespace

int main() {
  sycl::queue queue;
  check<int>(queue, std::plus<int>(), std::plus<>(), [](std::size_t i) { return int(i); }, 0);
  check<float>(queue, std::multiplies<float>(), std::multiplies<>(), [](std::size_t i) { return i % 7 == 0 ? 2.0f : 1.0f; },
               1.0f);
  check<unsigned>(queue, std::bit_and<unsigned>(), std::bit_and<>(), [](std::size_t i) { return ~(1u << i % 20); }, ~0u);
  check<long>(queue, std::bit_or<long>(), std::bit_or<>(), [](std::size_t i) { return 1l << i; }, 0l);
  check<int>(queue, std::bit_xor<int>(), std::bit_xor<>(), [](std::size_t i) { return int(i * i); }, 0);
  check<bool>(queue, std::logical_and<bool>(), std::logical_and<>(), [](std::size_t i) { return i != 9; }, true);
  check<bool>(queue, std::logical_or<bool>(), std::logical_or<>(), [](std::size_t i) { return i == 9; }, false);
  check_operators(queue);
  return pass();
}
