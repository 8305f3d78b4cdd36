// Sub-groups of kernels that require no size: neighbours exchange values, a kernel's sub-groups are
// no larger than its query says, and one that runs item by item has sub-groups of one work-item.
// levels: 0 2
#include "shapes.hpp"

#include <algorithm>

namespace {

class exchanging;
class reducing;

struct part {
  unsigned lane, size, most, number, count, sum;
};

part describe(const sycl::sub_group &group, unsigned value) {
  part mine{};
  mine.lane = group.get_local_linear_id();
  mine.size = group.get_local_linear_range();
  mine.most = static_cast<unsigned>(group.get_max_local_range()[0]);
  mine.number = group.get_group_linear_id();
  mine.count = group.get_group_linear_range();
  mine.sum = sycl::reduce_over_group(group, value, sycl::plus<unsigned>());
  return mine;
}

// Each sub-group has the work-items that follow each other.
void check_parts(const part *parts, std::size_t width, std::size_t most) {
  for (std::size_t i = 0; i < width; ++i) {
    const part &mine = parts[i];
    const std::size_t first = i - mine.lane;
    CHECK(mine.size >= 1 && mine.size <= mine.most && mine.most <= most);
    CHECK_EQUAL(first, mine.number * mine.most);
    CHECK_EQUAL(mine.size, std::min<std::size_t>(mine.most, width - first));
    CHECK_EQUAL(mine.count, (width + mine.most - 1) / mine.most);
    unsigned sum = 0;
    for (std::size_t other = first; other < first + mine.size; ++other)
      sum += static_cast<unsigned>(other);
    CHECK_EQUAL(mine.sum, sum);
  }
}

template <class Kernel> std::size_t most_work_items(const sycl::queue &queue) {
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(queue.get_context());
  return bundle.get_kernel(sycl::get_kernel_id<Kernel>())
      .template get_info<sycl::info::kernel_device_specific::max_sub_group_size>(queue.get_device());
}

void check_sizes(sycl::queue &queue) {
  const std::size_t most = most_work_items<exchanging>(queue);
  for (const std::size_t width : {1, 2, 3, 5, 32, 100, 256}) {
    shared_array<part> parts(queue, 2 * width);
    queue.parallel_for<exchanging>(sycl::nd_range<1>(2 * width, width), [parts = parts.get()](sycl::nd_item<1> item) {
      parts[item.get_global_id(0)] =
          describe(item.get_sub_group(), static_cast<unsigned>(item.get_local_id(0)));
    });
    queue.wait_and_throw();
    check_parts(&parts[0], width, most);
    check_parts(&parts[width], width, most);
  }
}

// The usual reduction of a block: shuffles by a distance that halves, and the sums of sub-groups in
// local memory, on the host with room for as many as the query says. Others may have more.
void check_reduction(sycl::queue &queue) {
  const bool host = queue.get_backend() == sycl::backend::host;
  const std::size_t width = 256, most = most_work_items<reducing>(queue), parts = host ? width / most : width;
  shared_array<unsigned> sums(queue, 2), sizes(queue, 2);
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<unsigned, 1> partial(parts, handler);
    handler.parallel_for<reducing>(
        sycl::nd_range<1>(2 * width, width),
        [partial, sums = sums.get(), sizes = sizes.get()](sycl::nd_item<1> item) {
          const sycl::sub_group group = item.get_sub_group();
          unsigned value = static_cast<unsigned>(item.get_global_id(0));
          for (unsigned distance = group.get_local_linear_range() / 2; distance > 0; distance >>= 1)
            value += sycl::shift_group_left(group, value, distance);
          if (group.leader())
            partial[group.get_group_linear_id()] = value;
          sycl::group_barrier(item.get_group());
          if (item.get_local_id(0) != 0)
            return;
          unsigned sum = 0;
          for (std::size_t part = 0; part < group.get_group_linear_range(); ++part)
            sum += partial[part];
          sums[item.get_group(0)] = sum;
          sizes[item.get_group(0)] = static_cast<unsigned>(group.get_max_local_range()[0]);
        });
  });
  queue.wait_and_throw();
  const unsigned half = width * (width - 1) / 2;
  CHECK(host ? sizes[0] == most : sizes[0] <= most);
  CHECK_EQUAL(sums[0], half);
  CHECK_EQUAL(sums[1], half + width * width);
}

// Work-items give a value to the next one of their sub-group through local memory: nothing but the
// barrier says that a sub-group exchanges something.
void check_barrier(sycl::queue &queue) {
  const std::size_t width = 128;
  shared_array<unsigned> out(queue, 2 * width), sizes(queue, 2 * width);
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<unsigned, 1> values(width, handler);
    handler.parallel_for(sycl::nd_range<1>(2 * width, width),
                         [values, out = out.get(), sizes = sizes.get()](sycl::nd_item<1> item) {
                           const sycl::sub_group group = item.get_sub_group();
                           const std::size_t at = item.get_local_id(0), size = group.get_max_local_range()[0];
                           values[at] = static_cast<unsigned>(at);
                           sycl::group_barrier(group);
                           out[item.get_global_id(0)] = values[at / size * size + (at + 1) % size];
                           sizes[item.get_global_id(0)] = static_cast<unsigned>(size);
                         });
  });
  queue.wait_and_throw();
  for (std::size_t i = 0; i < 2 * width; ++i) {
    const std::size_t at = i % width, size = sizes[i];
    CHECK_EQUAL(out[i], at / size * size + (at + 1) % size);
  }
}

constexpr unsigned large = 100 * 1024 / sizeof(unsigned);

// All work-items of a row together would have more private memory than a thread.
void check_large_memory(sycl::queue &queue) {
  const std::size_t width = 64;
  shared_array<unsigned> sums(queue, width), parts(queue, width);
  queue.parallel_for(sycl::nd_range<1>(width, width), [sums = sums.get(), parts = parts.get()](sycl::nd_item<1> item) {
    const unsigned at = static_cast<unsigned>(item.get_local_id(0));
    unsigned memory[large], sum = 0;
    for (unsigned i = 0; i < large; ++i)
      memory[i] = i * at;
    for (unsigned i = 0; i < 64; ++i)
      sum += memory[i * at * 7919u % large];
    sums[at] = sum;
    parts[at] = sycl::reduce_over_group(item.get_sub_group(), 1u, sycl::plus<unsigned>());
  });
  queue.wait_and_throw();
  for (unsigned at = 0; at < width; ++at) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 64; ++i)
      sum += i * at * 7919u % large * at;
    CHECK_EQUAL(sums[at], sum);
    CHECK(parts[at] >= 1 && parts[at] <= width);
  }
}

__attribute__((noinline)) unsigned fibonacci(unsigned n, const sycl::sub_group &group) {
  if (n < 2)
    return group.get_local_linear_id() < 64 ? n : 0;
  return fibonacci(n - 1, group) + fibonacci(n - 2, group);
}

// A recursive function is not part of the kernel, and so of no row.
void check_recursion(sycl::queue &queue) {
  const std::size_t width = 32;
  shared_array<unsigned> out(queue, width);
  queue.parallel_for(sycl::nd_range<1>(width, width), [out = out.get()](sycl::nd_item<1> item) {
    out[item.get_global_id(0)] =
        fibonacci(static_cast<unsigned>(item.get_global_id(0) % 12), item.get_sub_group());
  });
  queue.wait_and_throw();
  CHECK_EQUAL(out[11], 89u);
  CHECK_EQUAL(out[10], 55u);
}

// Integers of 128 bits have no vector form.
void check_items_one_by_one(sycl::queue &queue) {
  const std::size_t width = 64;
  shared_array<part> parts(queue, width);
  shared_array<unsigned long> products(queue, width);
  queue.parallel_for(sycl::nd_range<1>(width, width), [parts = parts.get(), products = products.get()](
                                                          sycl::nd_item<1> item) {
    const unsigned lane = static_cast<unsigned>(item.get_local_id(0));
    unsigned __int128 product = 0x123456789abcdefull + lane;
    for (unsigned i = 0; i < lane % 5; ++i)
      product = product * product + i;
    products[lane] = static_cast<unsigned long>(product >> 64);
    parts[lane] = describe(item.get_sub_group(), lane);
  });
  queue.wait_and_throw();
  check_parts(&parts[0], width, 64);
  for (unsigned lane = 0; lane < width; ++lane) {
    unsigned __int128 product = 0x123456789abcdefull + lane;
    for (unsigned i = 0; i < lane % 5; ++i)
      product = product * product + i;
    CHECK_EQUAL(products[lane], static_cast<unsigned long>(product >> 64));
  }
  if (queue.get_device().get_backend() == sycl::backend::host)
    CHECK_EQUAL(parts[0].most, 1u);
}

} // namespace

int main() {
  sycl::queue queue;
  check_sizes(queue);
  check_reduction(queue);
  check_barrier(queue);
  if (queue.get_backend() == sycl::backend::host) {
    check_large_memory(queue);
    check_recursion(queue);
    check_items_one_by_one(queue);
  }
  return pass();
}
