// async_work_group_copy between global and local memory, with strides, and the functions that
// return the current work-item.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

namespace {

constexpr int size = 192, group_size = 48;

// Each group reverses its part; an item queries its id without an argument.
void check_contiguous(sycl::queue &queue, const int *in, int *out) {
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<int> part(group_size, handler), turned(group_size, handler);
    handler.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t start = item.get_group(0) * group_size;
      const sycl::device_event copied =
          item.async_work_group_copy(part.get_pointer(), sycl::global_ptr<const int>(in + start), group_size);
      item.wait_for(copied);
      const auto self = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
      const auto group = sycl::ext::oneapi::experimental::this_group<1>();
      turned[self.get_local_id(0)] = part[group_size - 1 - self.get_local_id(0)];
      sycl::group_barrier(group);
      group.async_work_group_copy(sycl::global_ptr<int>(out + start), turned.get_pointer(), group_size).wait();
    });
  });
  queue.wait();
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(out[i], in[i / group_size * group_size + group_size - 1 - i % group_size]);
}

// A matrix column into local memory, and into a row of another matrix.
void check_strides(sycl::queue &queue, const int *in, int *out) {
  constexpr int rows = 12, columns = 16;
  queue.submit([&](sycl::handler &handler) {
    sycl::local_accessor<int> column(rows, handler);
    handler.parallel_for(sycl::nd_range<2>({columns, 8}, {1, 8}), [=](sycl::nd_item<2> item) {
      const std::size_t number = item.get_group(0);
      const auto group = item.get_group();
      const auto from = sycl::address_space_cast<sycl::access::address_space::global_space,
                                                 sycl::access::decorated::yes>(in + number);
      const auto local = column.get_multi_ptr<sycl::access::decorated::yes>();
      group.wait_for(group.async_work_group_copy(local, from, rows, columns));
      group.wait_for(group.async_work_group_copy(sycl::global_ptr<int>(out + number * rows), local, rows),
                     sycl::device_event());
    });
  });
  queue.wait();
  for (int i = 0; i < rows * columns; ++i)
    CHECK_EQUAL(out[i], in[i % rows * columns + i / rows]);
}

} // namespace

int main() {
  sycl::queue queue;
  int *in = sycl::malloc_shared<int>(size, queue), *out = sycl::malloc_shared<int>(size, queue);
  for (int i = 0; i < size; ++i)
    in[i] = i * i % 1009;
  check_contiguous(queue, in, out);
  check_strides(queue, in, out);
  sycl::free(in, queue);
  sycl::free(out, queue);
  return pass();
}
