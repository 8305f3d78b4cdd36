// Kernels that require a work-group size: the right one runs, another one is an error that names
// both.
// levels: 0 2
#include "../check.hpp"
#include <string>
#include <sycl/sycl.hpp>

namespace {

constexpr int wide = 8;

template <class F> std::string failure(F launch) {
  try {
    launch();
  } catch (const sycl::exception &error) {
    return error.what();
  }
  return "";
}

struct functor {
  int *out;
  [[sycl::reqd_work_group_size(4)]] void operator()(sycl::nd_item<1> it) const {
    out[it.get_global_id(0)] = static_cast<int>(it.get_local_range(0));
  }
};

// A size that no device has, whether or not it fits in 32 bits.
template <class F> bool is_unsupported(F launch) {
  try {
    launch();
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::kernel_not_supported;
  }
  return false;
}

void impossible(sycl::queue &queue) {
  constexpr std::size_t huge = std::size_t(1) << 32;
  const auto kernel = [](sycl::nd_item<1>) [[sycl::reqd_work_group_size(huge)]] {};
  CHECK(is_unsupported([&] { queue.parallel_for(sycl::nd_range<1>(huge, huge), kernel); }));
  const auto flat = [](sycl::nd_item<2>) [[sycl::reqd_work_group_size(1, 1 << 20)]] {};
  CHECK(is_unsupported([&] { queue.parallel_for(sycl::nd_range<2>({1, 1 << 20}, {1, 1 << 20}), flat); }));
  const auto sub_group = [](sycl::nd_item<1>) [[sycl::reqd_sub_group_size(4099)]] {};
  CHECK(is_unsupported([&] { queue.parallel_for(sycl::nd_range<1>(1 << 20, 1 << 20), sub_group); }));
  const auto hierarchical = [](sycl::group<1>) [[sycl::reqd_work_group_size(huge)]] {};
  CHECK(is_unsupported([&] {
    queue.submit([&](sycl::handler &group) {
      group.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(huge), hierarchical);
    });
  }));
}

template <int N> void fill(sycl::queue &queue, int *out, int width) {
  constexpr int rows = 2; // not captured
  queue
      .parallel_for(sycl::nd_range<2>({2, 32}, {2, static_cast<std::size_t>(width)}),
                    [out](sycl::nd_item<2> it) [[sycl::reqd_work_group_size(rows, N)]] {
                      out[it.get_global_linear_id()] = static_cast<int>(it.get_local_range(1));
                    })
      .wait();
}

} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(64, queue);
  queue.parallel_for(sycl::nd_range<1>(64, 4), functor{out}).wait();
  CHECK_EQUAL(out[63], 4);
  fill<wide>(queue, out, 8);
  CHECK_EQUAL(out[63], 8);
  fill<wide * 2>(queue, out, 16);
  CHECK_EQUAL(out[63], 16);
  const std::string one = failure([&] { queue.parallel_for(sycl::nd_range<1>(64, 8), functor{out}).wait(); });
  CHECK(one.find('4') != std::string::npos && one.find('8') != std::string::npos);
  CHECK(!failure([&] { fill<wide>(queue, out, 16); }).empty());
  queue
      .parallel_for(sycl::nd_range<1>(64, 2),
                    [=](sycl::nd_item<1> it) [[sycl::work_group_size_hint(2), sycl::vec_type_hint(float)]] {
                      out[it.get_global_id(0)] = 1;
                    })
      .wait();
  CHECK_EQUAL(out[63], 1);
  impossible(queue);
  sycl::free(out, queue);
  return pass();
}
