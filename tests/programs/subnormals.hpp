// Subnormal numbers of float, which a device may take for zeros.
#ifndef PROGRAMS_SUBNORMALS_HPP
#define PROGRAMS_SUBNORMALS_HPP

#include <sycl/sycl.hpp>

#include <algorithm>

inline bool keeps_subnormals(const sycl::device &device) {
  const auto known = device.get_info<sycl::info::device::single_fp_config>();
  return std::find(known.begin(), known.end(), sycl::info::fp_config::denorm) != known.end();
}

#endif
