// Extensions of groups: masks of sub-groups, loads and stores, reductions and sorting with scratch
// memory, dot products.
// levels: 0 2
#include <sycl/ext/oneapi/experimental/group_load_store.hpp>
#include <sycl/ext/oneapi/experimental/group_sort.hpp>
#include <sycl/ext/oneapi/sub_group_mask.hpp>
#include <sycl/sycl.hpp>

#include "shapes.hpp"

namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

static void masks(sycl::queue &queue) {
  oneapi::sub_group_mask mask(0b1011u);
  CHECK(mask.count() == 3 && mask.test(3) && !mask[2] && mask.any() && !mask.all() && !mask.none());
  CHECK(mask.find_low() == sycl::id<1>(0) && mask.find_high() == sycl::id<1>(3));
  mask[2] = true;
  mask.reset_low();
  mask.flip(5);
  std::uint32_t bits = 0;
  mask.extract_bits(bits);
  CHECK(bits == 0b101110);
  mask.insert_bits(std::uint8_t(0xff), 8);
  mask.extract_bits(bits, 4);
  CHECK(bits == 0xff2);
  mask <<= 4;
  CHECK((mask & oneapi::sub_group_mask(0xffu)).count() == 3 && (~mask).test(0) && mask != (mask >> 1));
  mask.reset();
  CHECK(mask.none() && mask.find_low()[0] == mask.size());

  constexpr std::size_t items = 64;
  shared_array<int> bad(queue, 1);
  bad[0] = 0;
  queue.parallel_for(sycl::nd_range<1>(items, items), [bad = bad.get()](sycl::nd_item<1> item) {
    const sycl::sub_group members = item.get_sub_group();
    const std::uint32_t self = members.get_local_linear_id(), size = members.get_local_linear_range();
    const oneapi::sub_group_mask third = oneapi::group_ballot(members, self % 3 == 0);
    int wrong = third.count() != (size + 2) / 3 || third.size() != members.get_max_local_range()[0];
    for (std::uint32_t i = 0; i < size; ++i)
      wrong += third.test(i) != (i % 3 == 0);
    wrong += oneapi::group_ballot(members).count() != size;
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(bad[0]) += wrong;
  });
  queue.wait();
  CHECK(bad[0] == 0);
}

static void loads(sycl::queue &queue) {
  constexpr std::size_t items = 8, count = 3;
  shared_array<int> from(queue, items * count), to(queue, items * count), single(queue, items);
  for (std::size_t i = 0; i < items * count; ++i)
    from[i] = int(i) * 5;
  queue.parallel_for(sycl::nd_range<1>(items, items),
                     [from = from.get(), to = to.get(), single = single.get()](sycl::nd_item<1> item) {
    const auto members = item.get_group();
    int values[count], one = 0;
    experimental::group_load(members, from, sycl::span<int, count>(values),
                             experimental::properties{experimental::data_placement_striped});
    experimental::group_store(members, sycl::span<int, count>(values), to);
    experimental::group_load(members, from, one);
    experimental::group_store(members, one + 1, single);
  });
  queue.wait();
  for (std::size_t i = 0; i < items * count; ++i)
    CHECK_EQUAL(to[i], (i / count + i % count * items) * 5);
  for (std::size_t i = 0; i < items; ++i)
    CHECK_EQUAL(single[i], i * 5 + 1);
}

struct pair {
  int key, place;
};

static void scratch(sycl::queue &queue) {
  constexpr std::size_t items = 16, count = 50;
  shared_array<int> sums(queue, 4 * items), keys(queue, count), sorted(queue, items);
  shared_array<pair> pairs(queue, count);
  for (std::size_t i = 0; i < count; ++i) {
    keys[i] = int(i * 37 % 11);
    pairs[i] = {int(i * 37 % 11), int(i)};
  }
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<std::byte, 1> memory(1024, cgh);
    cgh.parallel_for(sycl::nd_range<1>(items, items), [=, sums = sums.get(), keys = keys.get(), sorted = sorted.get(),
                                                      pairs = pairs.get()](sycl::nd_item<1> item) {
      const auto members = item.get_group();
      const std::size_t self = item.get_local_linear_id();
      const experimental::group_with_scratchpad helper(members, sycl::span<std::byte>(&memory[0], 1024));
      const auto larger = [](int a, int b) { return a > b ? a : b; };
      sums[4 * self] = experimental::reduce_over_group(helper, keys[self], larger);
      sums[4 * self + 1] = experimental::reduce_over_group(helper, keys[self], 99, larger);
      sums[4 * self + 2] = experimental::joint_reduce(helper, keys, keys + count, [](int a, int b) { return a + b; });
      sums[4 * self + 3] = experimental::joint_reduce(helper, keys, keys, 7, larger);
      sorted[self] = experimental::sort_over_group(helper, keys[self], [](int a, int b) { return a > b; });
      experimental::joint_sort(helper, pairs, pairs + count, [](const pair &a, const pair &b) { return a.key < b.key; });
    });
  });
  queue.wait();
  int sum = 0;
  for (std::size_t i = 0; i < count; ++i)
    sum += keys[i];
  for (std::size_t i = 0; i < items; ++i) {
    CHECK_EQUAL(sums[4 * i], 10);
    CHECK_EQUAL(sums[4 * i + 1], 99);
    CHECK_EQUAL(sums[4 * i + 2], sum);
    CHECK_EQUAL(sums[4 * i + 3], 7);
    CHECK(i == 0 || sorted[i - 1] >= sorted[i]);
  }
  for (std::size_t i = 1; i < count; ++i)
    CHECK(pairs[i - 1].key < pairs[i].key || (pairs[i - 1].key == pairs[i].key && pairs[i - 1].place < pairs[i].place));
}

static void sorters(sycl::queue &queue) {
  constexpr std::size_t items = 8, count = 20;
  shared_array<int> keys(queue, count), single(queue, items);
  for (std::size_t i = 0; i < count; ++i)
    keys[i] = int(i * 7 % count);
  queue.submit([&](sycl::handler &cgh) {
    const std::size_t bytes = experimental::default_sorter<>::memory_required<int>(sycl::memory_scope::work_group, count);
    sycl::local_accessor<std::byte, 1> memory(bytes, cgh);
    cgh.parallel_for(sycl::nd_range<1>(items, items),
                     [=, keys = keys.get(), single = single.get()](sycl::nd_item<1> item) {
      const sycl::span<std::byte> space(&memory[0], bytes);
      const std::size_t self = item.get_local_linear_id();
      single[self] = experimental::sort_over_group(item.get_group(), keys[self], experimental::default_sorter<>(space));
      experimental::joint_sort(item.get_group(), keys, keys + count,
                               experimental::default_sorter<std::greater<>>(space));
    });
  });
  queue.wait();
  for (std::size_t i = 1; i < items; ++i)
    CHECK(single[i - 1] <= single[i]);
  for (std::size_t i = 0; i < count; ++i)
    CHECK_EQUAL(keys[i], count - 1 - i);
}

static void dots(sycl::queue &queue) {
  shared_array<int> out(queue, 4);
  shared_array<std::uint32_t> in(queue, 2);
  in[0] = 0xff020304u;
  in[1] = 0x05fe0708u;
  queue.single_task([out = out.get(), in = in.get()] {
    const std::uint32_t a = experimental::cuda::ldg(in), b = experimental::cuda::ldg(in + 1);
    out[0] = oneapi::dot_acc(std::int32_t(a), std::int32_t(b), 10);
    out[1] = oneapi::dot_acc(a, b, 10);
    out[2] = oneapi::dot_acc(std::int32_t(a), b, 10);
    out[3] = oneapi::dot_acc(sycl::vec<std::int8_t, 4>(4, 3, 2, -1), sycl::vec<std::uint8_t, 4>(8, 7, 254, 5), 10);
  });
  queue.wait();
  CHECK_EQUAL(out[0], 10 - 5 - 4 + 21 + 32);
  CHECK_EQUAL(out[1], 10 + 255 * 5 + 2 * 254 + 21 + 32);
  CHECK_EQUAL(out[2], 10 - 5 + 2 * 254 + 21 + 32);
  CHECK_EQUAL(out[3], 10 - 5 + 2 * 254 + 21 + 32);
}

int main() {
  sycl::queue queue;
  masks(queue);
  loads(queue);
  scratch(queue);
  sorters(queue);
  dots(queue);
  return pass();
}
