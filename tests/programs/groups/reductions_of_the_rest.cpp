// Where work-items of a sub-group have returned, a reduction is one of those that call it. SYCL
// does not promise that; programs that come from CUDA rely on it.
// devices: host
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <int Size> static void check(sycl::queue &queue) {
  constexpr int results = 5;
  int *const out = sycl::malloc_shared<int>(results * Size, queue);
  for (int gone : {0, 1, 3, Size - 1}) {
    queue
        .parallel_for(sycl::nd_range<1>(Size, Size),
                      [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(Size)]] {
                        const auto group = item.get_sub_group();
                        const int lane = static_cast<int>(item.get_local_id(0));
                        if (lane < gone)
                          return;
                        out[lane] = sycl::reduce_over_group(group, lane, sycl::plus<int>());
                        out[Size + lane] = sycl::reduce_over_group(group, lane, sycl::minimum<int>());
                        out[2 * Size + lane] =
                            static_cast<int>(sycl::reduce_over_group(group, float(lane), sycl::minimum<float>()));
                        out[3 * Size + lane] =
                            static_cast<int>(sycl::reduce_over_group(group, double(90 - lane), sycl::maximum<double>()));
                        out[4 * Size + lane] = sycl::reduce_over_group(group, lane == gone, sycl::logical_or<bool>());
                      })
        .wait();
    for (int lane = gone; lane < Size; ++lane) {
      CHECK(out[lane] == (Size * (Size - 1) - gone * (gone - 1)) / 2);
      CHECK(out[Size + lane] == gone && out[2 * Size + lane] == gone);
      CHECK(out[3 * Size + lane] == 90 - gone && out[4 * Size + lane] == 1);
    }
  }
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  check<4>(queue);
  check<8>(queue);
  check<16>(queue);
  check<32>(queue);
  check<64>(queue);
  return pass();
}
