// The tests of the patterns suite: kernels of many kinds, written on each side in its usual style.
//
// Included after a side's kernels. To add a pattern: its data and reference here, a kernel in
// cuda/patterns and one in peers/patterns, and its row in the table of the harness.
#ifndef BENCHES_GPU_PATTERNS_ALL_HPP
#define BENCHES_GPU_PATTERNS_ALL_HPP

#include "cells.hpp"
#include "convolution.hpp"
#include "exchange.hpp"
#include "graphs.hpp"
#include "grids.hpp"
#include "groups.hpp"
#include "gups.hpp"
#include "images.hpp"
#include "integers.hpp"
#include "matrices.hpp"
#include "multipole.hpp"
#include "options.hpp"
#include "permute.hpp"
#include "puzzles.hpp"
#include "radial.hpp"
#include "scatter.hpp"

namespace gpu::patterns {

template <class Device> std::vector<test> tests(Device &device, const options &chosen) {
  const bool small = chosen.sizes != scale::gpu;
  std::vector<test> all;
  // If one test is selected, only its data is created.
  const auto add = [&](const char *name, auto make) {
    if (chosen.only.empty() || chosen.only == name)
      all.push_back(make(name, device, small));
  };
  add("gups", of<gups<update::atomic>, Device>);
  add("gups_plain", of<gups<update::plain>, Device>);
  add("scatter_f32", of<scatter<float, 1>, Device>);
  add("scatter_i64", of<scatter<std::int64_t, 1>, Device>);
  add("scatter_rows", of<scatter<float, 8>, Device>);
  add("scatter_by_exchange", of<scatter_by_exchange, Device>);
  add("convolution_rows", of<convolution<along::rows>, Device>);
  add("convolution_columns", of<convolution<along::columns>, Device>);
  add("exchange", of<exchange, Device>);
  add("bitonic", of<bitonic, Device>);
  add("nerve", of<nerve, Device>);
  add("heart", of<heart, Device>);
  add("orders", of<orders, Device>);
  add("multipole", of<multipole, Device>);
  add("radial", of<radial, Device>);
  add("options", of<options_with_erf, Device>);
  add("gather_128", of<gather<128>, Device>);
  add("gather_256", of<gather<256>, Device>);
  add("gather_512", of<gather<512>, Device>);
  add("gather_1024", of<gather<1024>, Device>);
  add("transposed", of<transposed, Device>);
  add("five_points", of<five_points, Device>);
  add("jacobi", of<jacobi, Device>);
  add("floyd", of<floyd, Device>);
  add("search", of<search, Device>);
  add("elimination", of<elimination, Device>);
  add("sparse_items", of<sparse<float, rows_for::items>, Device>);
  add("sparse_sub_groups", of<sparse<double, rows_for::sub_groups>, Device>);
  add("sobel", of<sobel, Device>);
  add("bilateral", of<bilateral, Device>);
  add("hash_bytes", of<hashes<hash_of::bytes>, Device>);
  add("hash_words", of<hashes<hash_of::words>, Device>);
  add("power_montgomery", of<powers<modular::montgomery>, Device>);
  add("power_remainders", of<powers<modular::remainders>, Device>);
  add("distances", of<distances, Device>);
  add("queens", of<queens, Device>);
  add("fourier", of<fourier, Device>);
  add("prefix", of<prefix, Device>);
  add("darts", of<darts, Device>);
  return all;
}

} // namespace gpu::patterns

#endif
