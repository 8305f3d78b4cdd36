#include <sycl/sycl.hpp>

SYCL_EXTERNAL int sum_before(const sycl::nd_item<1> &item, int x) {
  return sycl::exclusive_scan_over_group(item.get_group(), x, sycl::plus<>());
}

SYCL_EXTERNAL void wait_for_group(sycl::group<1> group) { sycl::group_barrier(group); }
