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
  sycl::free(out, queue);
  return pass();
}
