// Where work-items of a sub-group have returned or are in another branch, a scan or reduction is
// one of those that call it, with every function object and type. SYCL does not promise that;
// programs that come from CUDA rely on it.
// devices: host
#include "shapes.hpp"

namespace {

// The items that call: all, those without the first ones, every third one, those of a pattern, a
// single one, the first ones.
constexpr int patterns = 6;
bool calls(int pattern, int lane) {
  switch (pattern) {
  case 0: return true;
  case 1: return lane >= 3;
  case 2: return lane % 3 == 1;
  case 3: return (0x9e3779b97f4a7c15u >> lane & 1) != 0;
  case 4: return lane == 2;
  default: return lane < 3;
  }
}

// Small, so that sums and products are exact.
template <class T> T value(int lane) { return static_cast<T>(1 + lane * 5 % 7 % 3); }

template <int Size, class T, class Operation>
void check(sycl::queue &queue, int pattern, bool returns, Operation operation, T start) {
  shared_array<T> reduced(queue, Size), inclusive(queue, Size), exclusive(queue, Size);
  queue
      .parallel_for(sycl::nd_range<1>(Size, Size),
                    [=, a = reduced.get(), b = inclusive.get(),
                     c = exclusive.get()](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(Size)]] {
                      const auto group = item.get_sub_group();
                      const int lane = static_cast<int>(item.get_local_id(0));
                      if (!calls(pattern, lane)) {
                        if (returns)
                          return;
                        a[lane] = T(77);
                      } else {
                        const T x = value<T>(lane);
                        a[lane] = sycl::reduce_over_group(group, x, operation);
                        b[lane] = sycl::inclusive_scan_over_group(group, x, operation);
                        c[lane] = sycl::exclusive_scan_over_group(group, x, start, operation);
                      }
                    })
      .wait();
  bool any = false;
  T all = start, sum = T();
  for (int lane = 0; lane < Size; ++lane) {
    if (!calls(pattern, lane))
      continue;
    CHECK_EQUAL(exclusive[lane], all);
    all = static_cast<T>(operation(all, value<T>(lane)));
    sum = any ? static_cast<T>(operation(sum, value<T>(lane))) : value<T>(lane);
    any = true;
    CHECK_EQUAL(inclusive[lane], sum);
  }
  for (int lane = 0; lane < Size; ++lane)
    if (calls(pattern, lane))
      CHECK_EQUAL(reduced[lane], sum);
}

template <int Size, class T, class Operation> void check_size(sycl::queue &queue, Operation operation, T start) {
  for (int pattern = 0; pattern < patterns; ++pattern) {
    check<Size, T>(queue, pattern, true, operation, start);
    check<Size, T>(queue, pattern, false, operation, start);
  }
}

template <class T, class Operation> void check_one(sycl::queue &queue, Operation operation, T start) {
  check_size<16, T>(queue, operation, start);
  check_size<64, T>(queue, operation, start);
}

template <class T> void check_number(sycl::queue &queue) {
  check_one<T>(queue, sycl::plus<T>(), T(3));
  check_one<T>(queue, sycl::minimum<T>(), T(100));
  check_one<T>(queue, sycl::maximum<T>(), T(1));
}

template <class T> void check_integer(sycl::queue &queue) {
  check_number<T>(queue);
  check_one<T>(queue, sycl::multiplies<T>(), T(1));
  check_one<T>(queue, sycl::bit_and<T>(), T(3));
  check_one<T>(queue, sycl::bit_xor<T>(), T(2));
}

} // namespace

int main() {
  sycl::queue queue;
  check_integer<unsigned>(queue);
  check_number<int>(queue);
  check_one<int>(queue, sycl::bit_or<int>(), 4);
  check_one<int>(queue, sycl::logical_and<int>(), 2);
  check_one<int>(queue, sycl::logical_or<int>(), 0);
  check_integer<unsigned long>(queue);
  check_number<signed char>(queue);
  check_number<unsigned short>(queue);
  check_number<float>(queue);
  check_number<double>(queue);
  check_number<sycl::half>(queue);
  check_size<16, float>(queue, sycl::multiplies<float>(), 0.5f);
  check_one<bool>(queue, sycl::logical_or<bool>(), false);
  check_size<4, int>(queue, sycl::plus<int>(), 0);
  check_size<8, float>(queue, sycl::minimum<float>(), 5.0f);
  check_size<32, long>(queue, sycl::plus<long>(), 0);
  return pass();
}
