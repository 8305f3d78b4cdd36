// Each collective of a group behind each other one, without a barrier of the program in between:
// what one leaves in the memory of the group does not reach the next, whatever the rows are.
#include "shapes.hpp"

#include <algorithm>
#include <vector>

namespace {

constexpr int kinds = 9;

template <int D> int collective(const sycl::group<D> &group, int kind, int x) {
  switch (kind) {
  case 0: return sycl::reduce_over_group(group, x, sycl::plus<int>());
  case 1: return static_cast<int>(sycl::reduce_over_group(group, float(x), sycl::plus<float>()));
  case 2: return static_cast<int>(sycl::reduce_over_group(group, float(x), sycl::minimum<float>()));
  case 3: return sycl::inclusive_scan_over_group(group, x, sycl::plus<int>());
  case 4: return static_cast<int>(sycl::exclusive_scan_over_group(group, float(x), 5.0f, sycl::plus<float>()));
  case 5: return sycl::any_of_group(group, x == 7);
  case 6: return sycl::group_broadcast(group, x, group.get_local_linear_range() - 1);
  case 7: return sycl::shift_group_right(group, x, 1);
  default: return static_cast<int>(sycl::inclusive_scan_over_group(group, long(x), sycl::maximum<long>()));
  }
}

// The result of the item `at` of a group with these values.
int expected(const std::vector<int> &x, int kind, std::size_t at) {
  int sum = 0, before = 5, largest = x[0], until = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum += x[i];
    if (i < at)
      before += x[i];
    if (i <= at) {
      until += x[i];
      largest = std::max(largest, x[i]);
    }
  }
  const int results[kinds] = {sum,
                              sum,
                              *std::min_element(x.begin(), x.end()),
                              until,
                              before,
                              std::find(x.begin(), x.end(), 7) != x.end(),
                              x.back(),
                              at == 0 ? x[0] : x[at - 1],
                              largest};
  return results[kind];
}

int first_value(std::size_t i) { return static_cast<int>(i * 7 % 13); }
int second_value(std::size_t i) { return static_cast<int>(i * 5 % 19) - 4; }

// Of a shift, the result of the first item is unspecified.
bool is_known(int kind, std::size_t at) { return kind != 7 || at != 0; }

template <int Size, int D> void check(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<int> all(queue, kinds * kinds * 2 * count);
  const auto run = [=, out = all.get()](const sycl::nd_item<D> &item, int unknown) {
    const std::size_t at = position(item);
    for (int a = 0; a < kinds; ++a)
      for (int b = 0; b < kinds; ++b) {
        int *const results = out + (a * kinds + b) * 2 * count;
        results[at] = collective(item.get_group(), a, first_value(at));
        results[count + at] = collective(item.get_group(), b, second_value(at) + unknown);
      }
  };
  if constexpr (Size == 0)
    queue.parallel_for(shape, [=](sycl::nd_item<D> item) { run(item, 0); }).wait();
  else
    queue
        .parallel_for(shape, [=](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
          run(item, sycl::group_broadcast(item.get_sub_group(), 0));
        })
        .wait();
  for (std::size_t first = 0; first < count; first += width) {
    std::vector<int> x(width), y(width);
    for (std::size_t i = 0; i < width; ++i) {
      x[i] = first_value(first + i);
      y[i] = second_value(first + i);
    }
    for (int pair = 0; pair < kinds * kinds; ++pair)
      for (std::size_t i = 0; i < width; ++i) {
        const int a = pair / kinds, b = pair % kinds;
        const int *const results = all.get() + pair * 2 * count + first;
        CHECK(!is_known(a, i) || results[i] == expected(x, a, i));
        CHECK(!is_known(b, i) || results[count + i] == expected(y, b, i));
      }
  }
}

template <int D> void check_all(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  check<0>(queue, shape);
  for (std::size_t size : queue.get_device().get_info<sycl::info::device::sub_group_sizes>()) {
    if (size == 4)
      check<4>(queue, shape);
    if (size == 16)
      check<16>(queue, shape);
    if (size == 32)
      check<32>(queue, shape);
    if (size == 64)
      check<64>(queue, shape);
  }
}

} // namespace

int main() {
  sycl::queue queue;
#ifndef FEWER_INSTANCES
  check_all(queue, sycl::nd_range<1>(144, 72));
#endif
  check_all(queue, sycl::nd_range<2>({4, 24}, {2, 24}));
  return pass();
}
