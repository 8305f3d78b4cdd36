// half and bfloat16 in group algorithms, reductions, atomic operations and fills.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

constexpr int items = 256, group_size = 64;

template <class Type> struct Results {
  Type sum, greatest, scanned[group_size], exclusive[group_size], sent, shifted[2], product;
  sycl::vec<Type, 2> pair;
  Type added, raised, lowered, subtracted, exchanged;
};

template <class Type> void in_groups(sycl::queue &queue, const Type *x, Results<Type> *out) {
  queue.parallel_for(sycl::nd_range<1>(items, group_size), [=](sycl::nd_item<1> item) {
    const auto group = item.get_group();
    const int i = static_cast<int>(item.get_global_id(0)), local = static_cast<int>(item.get_local_id(0));
    const Type sum = sycl::reduce_over_group(group, x[i], sycl::plus<Type>());
    const Type greatest = sycl::reduce_over_group(group, x[i], sycl::maximum<>());
    const Type product = sycl::reduce_over_group(group, local == 3 ? Type(2) : Type(1), std::multiplies<Type>());
    const Type scanned = sycl::inclusive_scan_over_group(group, x[i], sycl::plus<>());
    const Type exclusive = sycl::exclusive_scan_over_group(group, x[i], Type(10), sycl::plus<>());
    const auto pair = sycl::reduce_over_group(group, sycl::vec<Type, 2>(x[i], Type(1)), sycl::plus<>());
    const Type sent = sycl::group_broadcast(group, x[i], 3);
    const Type shifted = sycl::shift_group_left(item.get_sub_group(), x[i], 1);
    if (item.get_group(0) == 0) {
      out->scanned[local] = scanned;
      out->exclusive[local] = exclusive;
      if (local == 0) {
        out->sum = sum, out->greatest = greatest, out->sent = sent, out->product = product, out->pair = pair;
        out->shifted[0] = shifted;
        out->shifted[1] = static_cast<float>(item.get_sub_group().get_local_range()[0]);
      }
    }
  }).wait();
  // One pattern of four elements: 0, 1, 2, 3.
  CHECK_EQUAL(out->sum, 96);
  CHECK_EQUAL(out->greatest, 3);
  CHECK_EQUAL(out->product, 2);
  CHECK_EQUAL(out->sent, 3);
  CHECK(out->pair[0] == 96 && out->pair[1] == 64);
  CHECK(out->shifted[1] == 1 || out->shifted[0] == 1);
  float sum = 0;
  for (int i = 0; i < group_size; ++i) {
    CHECK_EQUAL(out->exclusive[i], sum + 10);
    sum += static_cast<float>(i % 4);
    CHECK_EQUAL(out->scanned[i], sum);
  }
}

template <class Type> void in_reductions(sycl::queue &queue, const Type *x, Results<Type> *out) {
  out->sum = 4;
  out->greatest = -1;
  Type *const sum = &out->sum, *const greatest = &out->greatest, *const product = &out->product;
  queue.parallel_for(sycl::range<1>(items), sycl::reduction(sum, sycl::plus<Type>()),
                     sycl::reduction(greatest, sycl::maximum<>()), [=](sycl::id<1> i, auto &total, auto &most) {
                       total += x[i];
                       most.combine(x[i]);
                     }).wait();
  out->product = 3;
  queue.parallel_for(sycl::nd_range<1>(items, group_size),
                     sycl::reduction(product, sycl::multiplies<Type>()),
                     [=](sycl::nd_item<1> item, auto &total) {
                       total *= item.get_global_id(0) == 7 ? 2.5f : 1;
                     }).wait();
  CHECK_EQUAL(out->sum, 388);
  CHECK_EQUAL(out->greatest, 3);
  CHECK_EQUAL(out->product, 7.5f);
  static_assert(sycl::known_identity_v<sycl::plus<Type>, Type> == 0);
  static_assert(sycl::known_identity_v<sycl::minimum<>, Type> == std::numeric_limits<Type>::infinity());
}

template <class Type>
using atomic = sycl::atomic_ref<Type, sycl::memory_order::relaxed, sycl::memory_scope::device>;

template <class Type> void in_atomics(sycl::queue &queue, Results<Type> *out) {
  out->added = out->subtracted = out->raised = 0;
  out->lowered = 1000;
  out->exchanged = 5;
  queue.parallel_for(items, [=](sycl::id<1> i) {
    const Type number = static_cast<float>(i[0] % 100);
    atomic<Type>(out->added).fetch_add(Type(1));
    atomic<Type>(out->raised).fetch_max(number);
    atomic<Type>(out->lowered).fetch_min(Type(number + 0.5f));
    atomic<Type>(out->subtracted) -= Type(0.5f);
    Type expected = 5;
    atomic<Type>(out->exchanged).compare_exchange_strong(expected, Type(6));
  }).wait();
  CHECK_EQUAL(out->added, 256);
  CHECK_EQUAL(out->raised, 99);
  CHECK_EQUAL(out->lowered, 0.5f);
  CHECK_EQUAL(out->subtracted, -128);
  CHECK_EQUAL(out->exchanged, 6);
  const atomic<Type> here(out->raised);
  CHECK(here.fetch_add(Type(1)) == 99 && here.exchange(Type(2)) == 100 && here.load() == 2);
  CHECK((here += Type(1)) == 3 && here.fetch_min(Type(1)) == 3 && here.fetch_max(Type(4)) == 1 && here == 4);
}

template <class Type> void run(sycl::queue &queue) {
  Type *x = sycl::malloc_shared<Type>(items, queue);
  Results<Type> *out = sycl::malloc_shared<Results<Type>>(1, queue);
  for (int i = 0; i < items; ++i)
    x[i] = i % 4;
  in_groups(queue, x, out);
  in_reductions(queue, x, out);
  in_atomics(queue, out);
  queue.fill(x, Type(2.5f), items).wait();
  CHECK(x[0] == 2.5f && x[items - 1] == 2.5f);
  sycl::free(x, queue);
  sycl::free(out, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  run<sycl::half>(queue);
  run<sycl::ext::oneapi::bfloat16>(queue);
  return pass();
}
