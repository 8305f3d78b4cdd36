// Kernels that require a sub-group size: a device that supports it uses it; on others the launch is
// an error that names the size.
// levels: 0 2
#include "../check.hpp"
#include <algorithm>
#include <cstdio>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

namespace {

constexpr int items = 256;

struct result {
  unsigned most;
  int sum, from;
};

// Results of the kernel for sub-groups of `N`; empty if the launch is rejected.
template <int N> std::vector<result> run(sycl::queue &queue, std::string &refusal) {
  result *out = sycl::malloc_shared<result>(items, queue);
  std::vector<result> found;
  try {
    queue
        .parallel_for(sycl::nd_range<1>(items, 128),
                      [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(N)]] {
                        const sycl::sub_group part = it.get_sub_group();
                        const int x = static_cast<int>(it.get_global_id(0));
                        out[x].most = static_cast<unsigned>(part.get_max_local_range()[0]);
                        out[x].sum = sycl::reduce_over_group(part, x, sycl::plus<>());
                        out[x].from = sycl::permute_group_by_xor(part, x, N > 1 ? 1 : 0);
                      })
        .wait();
    found.assign(out, out + items);
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::kernel_not_supported);
    refusal = error.what();
  }
  sycl::free(out, queue);
  return found;
}

template <int N> void check(sycl::queue &queue) {
  const std::vector<std::size_t> sizes = queue.get_device().get_info<sycl::info::device::sub_group_sizes>();
  std::string refusal;
  const std::vector<result> found = run<N>(queue, refusal);
  if (std::find(sizes.begin(), sizes.end(), std::size_t(N)) == sizes.end()) {
    CHECK(found.empty() && refusal.find("sub-groups of " + std::to_string(N)) != std::string::npos);
    CHECK(refusal.rfind("kernel `", 0) == 0);
    return;
  }
  if (!refusal.empty())
    std::fputs(refusal.c_str(), stderr);
  CHECK(refusal.empty());
  for (int i = 0; i < items; ++i) {
    const int first = i / N * N;
    CHECK_EQUAL(found.at(i).most, unsigned(N));
    CHECK_EQUAL(found[i].sum, N * first + N * (N - 1) / 2);
    CHECK_EQUAL(found[i].from, N > 1 ? i ^ 1 : i);
  }
}

} // namespace

int main() {
  sycl::queue queue;
  check<1>(queue);
  check<4>(queue);
  check<8>(queue);
  check<16>(queue);
  check<32>(queue);
  check<64>(queue);
  return pass();
}
