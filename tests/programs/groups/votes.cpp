// any, all and none of a group, with a value and with a predicate.
// levels: 2
#include "shapes.hpp"

namespace {

// Bits: any, all, none; then the same with a predicate; then over the sub-group.
template <class Group> unsigned votes(const Group &group, bool x) {
  const int number = x ? 5 : -5;
  const auto is_positive = [](int n) { return n > 0; };
  return sycl::any_of_group(group, x) * 1u + sycl::all_of_group(group, x) * 2u + sycl::none_of_group(group, x) * 4u +
         sycl::any_of_group(group, number, is_positive) * 8u + sycl::all_of_group(group, number, is_positive) * 16u +
         sycl::none_of_group(group, number, is_positive) * 32u;
}

unsigned expected(bool any, bool all) { return 9u * (any * 1u + all * 2u + !any * 4u); }

// The work-items that vote true.
enum class choice { all, none, last, all_but_first };

bool votes_yes(choice who, std::size_t item, std::size_t width) {
  switch (who) {
  case choice::all: return true;
  case choice::none: return false;
  case choice::last: return item + 1 == width;
  case choice::all_but_first: return item != 0;
  }
  return false;
}

template <int D> void check_one(sycl::queue &queue, const sycl::nd_range<D> &shape, choice who) {
  const std::size_t count = shape.get_global_range().size(), width = shape.get_local_range().size();
  shared_array<unsigned> groups(queue, count), sub_groups(queue, count), parts(queue, 2 * count);
  queue.parallel_for(shape, [=, a = groups.get(), b = sub_groups.get(), c = parts.get()](sycl::nd_item<D> item) {
    const bool x = votes_yes(who, item.get_local_linear_id(), width);
    const std::size_t at = position(item);
    const sycl::sub_group part = item.get_sub_group();
    a[at] = votes(item.get_group(), x);
    b[at] = votes(part, x);
    c[2 * at] = part.get_local_linear_id();
    c[2 * at + 1] = part.get_local_linear_range();
  });
  queue.wait();
  bool any = false, all = true;
  for (std::size_t i = 0; i < width; ++i) {
    any = any || votes_yes(who, i, width);
    all = all && votes_yes(who, i, width);
  }
  for (std::size_t i = 0; i < count; ++i) {
    CHECK_EQUAL(groups[i], expected(any, all));
    const std::size_t first = i % width - parts[2 * i];
    bool some = false, each = true;
    for (std::size_t k = first; k < first + parts[2 * i + 1]; ++k) {
      some = some || votes_yes(who, k, width);
      each = each && votes_yes(who, k, width);
    }
    CHECK_EQUAL(sub_groups[i], expected(some, each));
  }
}

} // namespace

int main() {
  sycl::queue queue;
  for_each_shape(queue, [](sycl::queue &q, const auto &shape) {
    for (const choice who : {choice::all, choice::none, choice::last, choice::all_but_first})
      check_one(q, shape, who);
  });
  return pass();
}
