// Number of work-groups of a reduction over a range, and of indices per work-group.
#ifndef SYCL_DETAIL_RANGE_DIVISION_HPP
#define SYCL_DETAIL_RANGE_DIVISION_HPP

#include "../runtime/device.hpp"

namespace sycl::detail {

// A few work-groups for each compute unit balance the load, and eight fill a multiprocessor of a
// GPU; the numbers depend only on the device, so that a sum has the same order in each run. A CPU's
// group is one work-item, whose loop the compiler can vectorise.
struct range_division {
  std::size_t groups, items, chunk;

  range_division(const device &target, std::size_t total) {
    const std::size_t largest = target.get_info<info::device::max_work_group_size>();
    items = target.is_cpu() ? 1 : largest < 256 ? largest : 256;
    const std::size_t units = target.get_info<info::device::max_compute_units>();
    const std::size_t wanted = (target.is_cpu() ? 4 : 8) * units;
    const std::size_t useful = total / items + (total % items != 0);
    groups = wanted < useful ? wanted : useful;
    chunk = groups <= 1 ? total : total / groups + (total % groups != 0);
    groups = chunk == 0 ? 1 : total / chunk + (total % chunk != 0);
  }
};

} // namespace sycl::detail

#endif
