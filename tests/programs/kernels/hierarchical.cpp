// Hierarchical kernels: code at work-group scope runs once for each group, and its variables belong
// to all work-items of the group.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr std::size_t groups = 5, items = 12;

static void scopes(sycl::queue &queue) {
  int *data = sycl::malloc_shared<int>(groups * items, queue), *sums = sycl::malloc_shared<int>(groups, queue);
  int *calls = sycl::malloc_shared<int>(1, queue);
  *calls = 0;
  queue.submit([&](sycl::handler &cgh) {
    cgh.parallel_for_work_group<class scopes_kernel>(
        sycl::range<1>(groups), sycl::range<1>(items), [=](sycl::group<1> group) {
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(*calls)++;
          int shared[items], total = 0;
          sycl::private_memory<int> own(group);
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            own(item) = int(item.get_global_id(0));
            shared[item.get_local_id(0)] = int(item.get_local_id(0));
          });
          for (int round = 0; round < 2; ++round) {
            group.parallel_for_work_item([&](sycl::h_item<1> item) {
              data[item.get_global().get_linear_id()] = own(item) + shared[items - 1 - item.get_local_id(0)];
              own(item) += 100;
            });
            if (round == 0)
              total += shared[3];
          }
          sums[group.get_group_id(0)] = total + int(group.get_local_range(0));
        });
  });
  queue.wait();
  CHECK(*calls == int(groups));
  for (std::size_t i = 0; i < groups * items; ++i)
    CHECK_EQUAL(data[i], 100 + i + items - 1 - i % items);
  for (std::size_t g = 0; g < groups; ++g)
    CHECK_EQUAL(sums[g], 3 + items);
  sycl::free(data, queue);
  sycl::free(sums, queue);
  sycl::free(calls, queue);
}

// A logical range may be larger or smaller than the group.
static void logical_ranges(sycl::queue &queue) {
  int *data = sycl::malloc_shared<int>(4 * 6 * 5, queue), *bad = sycl::malloc_shared<int>(1, queue);
  *bad = 0;
  for (int i = 0; i < 120; ++i)
    data[i] = 0;
  queue.submit([&](sycl::handler &cgh) {
    cgh.parallel_for_work_group(sycl::range<2>(2, 2), sycl::range<2>(2, 3), [=](sycl::group<2> group) {
      const std::size_t first = group.get_group_linear_id() * 30;
      group.parallel_for_work_item(sycl::range<2>(6, 5), [&](sycl::h_item<2> item) {
        data[first + item.get_logical_local().get_linear_id()] += 1;
        *bad += item.get_logical_local_range() != sycl::range<2>(6, 5) || item.get_local_range(1) != 5;
        *bad += item.get_physical_local_range() != sycl::range<2>(2, 3);
        *bad += item.get_physical_local_id(0) != item.get_local_id(0) % 2;
        *bad += item.get_global_range() != sycl::range<2>(4, 6);
        *bad += item.get_global_id(1) != group.get_group_id(1) * 3 + item.get_local_id(1) % 3;
      });
      group.parallel_for_work_item(sycl::range<2>(1, 2), [&](sycl::h_item<2> item) {
        data[first + item.get_local().get_linear_id()] += 10;
      });
      *bad += group.get_local_range() != sycl::range<2>(2, 3) || group.get_group_range() != sycl::range<2>(2, 2);
      *bad += group.get_global_range() != sycl::range<2>(4, 6) || group.get_global_range(1) != 6;
      *bad += group.get_local_linear_range() != 6;
    });
  });
  queue.wait();
  CHECK(*bad == 0);
  for (int i = 0; i < 120; ++i)
    CHECK_EQUAL(data[i], i % 30 < 2 ? 11 : 1);
  sycl::free(data, queue);
  sycl::free(bad, queue);
}

// Without a group size; local accessors and asynchronous copies at work-group scope.
static void local_memory(sycl::queue &queue) {
  int *data = sycl::malloc_shared<int>(64, queue), *result = sycl::malloc_shared<int>(64, queue);
  for (int i = 0; i < 64; ++i)
    data[i] = i * i;
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int, 1> tile(16, cgh);
    cgh.parallel_for_work_group(sycl::range<1>(4), [=](sycl::group<1> group) {
      const std::size_t first = group.get_group_id(0) * 16;
      group.wait_for(group.async_work_group_copy(
          tile.get_multi_ptr<sycl::access::decorated::no>(),
          sycl::multi_ptr<const int, sycl::access::address_space::global_space, sycl::access::decorated::no>(data + first), 16));
      sycl::group_barrier(group);
      group.parallel_for_work_item(sycl::range<1>(16), [&](sycl::h_item<1> item) {
        result[first + item.get_local_id(0)] = tile[15 - item.get_local_id(0)];
      });
    });
  });
  queue.wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(result[i], data[i / 16 * 16 + 15 - i % 16]);
  sycl::free(data, queue);
  sycl::free(result, queue);
}

static void three_dimensions(sycl::queue &queue) {
  std::size_t *data = sycl::malloc_shared<std::size_t>(2 * 4 * 6, queue);
  queue.submit([&](sycl::handler &cgh) {
    cgh.parallel_for_work_group(sycl::range<3>(1, 2, 3), sycl::range<3>(2, 2, 2),
                                [=](sycl::group<3> group, sycl::kernel_handler) {
      group.parallel_for_work_item([&](sycl::h_item<3> item) {
        data[item.get_global().get_linear_id()] = item.get_global_id(0) * 100 + item.get_global_id(1) * 10 + item.get_global_id(2);
      });
    });
  });
  queue.wait();
  for (std::size_t i = 0; i < 48; ++i)
    CHECK_EQUAL(data[i], i / 24 * 100 + i / 6 % 4 * 10 + i % 6);
  sycl::free(data, queue);
}

static void too_large(sycl::queue &queue) {
  try {
    queue.submit([&](sycl::handler &cgh) {
      cgh.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(5000), [=](sycl::group<1>) {});
    });
    CHECK(false);
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::nd_range);
  }
}

int main() {
  sycl::queue queue;
  scopes(queue);
  logical_ranges(queue);
  local_memory(queue);
  three_dimensions(queue);
  too_large(queue);
  return pass();
}
