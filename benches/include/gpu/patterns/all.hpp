// The tests of the patterns suite: kernels of many kinds, written on either side as one writes them there.
//
// Included after a side's kernels. To add a pattern: its data and reference here, a kernel in cuda/patterns and one in
// peers/patterns, and its row in the table of the harness.
#ifndef BENCHES_GPU_PATTERNS_ALL_HPP
#define BENCHES_GPU_PATTERNS_ALL_HPP

#include "cells.hpp"
#include "convolution.hpp"
#include "exchange.hpp"
#include "gups.hpp"
#include "multipole.hpp"
#include "options.hpp"
#include "radial.hpp"
#include "scatter.hpp"

namespace gpu::patterns {

template <class Device> std::vector<test> tests(Device &device, const options &chosen) {
  const bool small = chosen.sizes != scale::gpu;
  std::vector<test> all;
  // Of one test that is asked for, only its own data are made.
  const auto add = [&](const char *name, auto make) {
    if (chosen.only.empty() || chosen.only == name)
      all.push_back(make(name, device, small));
  };
  add("gups", of<gups<update::atomic>, Device>);
  add("gups_plain", of<gups<update::plain>, Device>);
  add("scatter_f32", of<scatter<float, 1>, Device>);
  add("scatter_i64", of<scatter<std::int64_t, 1>, Device>);
  add("scatter_rows", of<scatter<float, 8>, Device>);
  add("convolution_rows", of<convolution<along::rows>, Device>);
  add("convolution_columns", of<convolution<along::columns>, Device>);
  add("exchange", of<exchange, Device>);
  add("bitonic", of<bitonic, Device>);
  add("nerve", of<nerve, Device>);
  add("heart", of<heart, Device>);
  add("multipole", of<multipole, Device>);
  add("radial", of<radial, Device>);
  add("options", of<options_with_erf, Device>);
  return all;
}

} // namespace gpu::patterns

#endif
