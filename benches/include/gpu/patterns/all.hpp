// The tests of the patterns suite: kernels of many kinds, written on each side in its usual style.
//
// Included after a side's kernels. To add a pattern: its data and reference here, a kernel in
// cuda/patterns and one in peers/patterns, and its row in the table of the harness.
//
// With PATTERN defined as the name of a test, a program has the kernels of that one and no others.
#ifndef BENCHES_GPU_PATTERNS_ALL_HPP
#define BENCHES_GPU_PATTERNS_ALL_HPP

#include <string_view>

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

// True if the program has the kernels of a test.
constexpr bool has(std::string_view name) {
#ifdef PATTERN
  return name == PATTERN;
#else
  return !name.empty();
#endif
}

template <class Device> std::vector<test> tests(Device &device, const options &chosen) {
  const bool small = chosen.sizes != scale::gpu;
  std::vector<test> all;
  // If one test is selected, only its data is created.
  const auto add = [&](const char *name, auto make) {
    if (chosen.only.empty() || chosen.only == name)
      all.push_back(make(name, device, small));
  };
  if constexpr (has("gups"))
    add("gups", of<gups<update::atomic>, Device>);
  if constexpr (has("gups_plain"))
    add("gups_plain", of<gups<update::plain>, Device>);
  if constexpr (has("scatter_f32"))
    add("scatter_f32", of<scatter<float, 1>, Device>);
  if constexpr (has("scatter_i64"))
    add("scatter_i64", of<scatter<std::int64_t, 1>, Device>);
  if constexpr (has("scatter_rows"))
    add("scatter_rows", of<scatter<float, 8>, Device>);
  if constexpr (has("scatter_by_exchange"))
    add("scatter_by_exchange", of<scatter_by_exchange, Device>);
  if constexpr (has("convolution_rows"))
    add("convolution_rows", of<convolution<along::rows>, Device>);
  if constexpr (has("convolution_columns"))
    add("convolution_columns", of<convolution<along::columns>, Device>);
  if constexpr (has("exchange"))
    add("exchange", of<exchange, Device>);
  if constexpr (has("bitonic"))
    add("bitonic", of<bitonic, Device>);
  if constexpr (has("nerve"))
    add("nerve", of<nerve, Device>);
  if constexpr (has("heart"))
    add("heart", of<heart, Device>);
  if constexpr (has("orders"))
    add("orders", of<orders, Device>);
  if constexpr (has("multipole"))
    add("multipole", of<multipole, Device>);
  if constexpr (has("radial"))
    add("radial", of<radial, Device>);
  if constexpr (has("options"))
    add("options", of<options_with_erf, Device>);
  if constexpr (has("gather_128"))
    add("gather_128", of<gather<128>, Device>);
  if constexpr (has("gather_256"))
    add("gather_256", of<gather<256>, Device>);
  if constexpr (has("gather_512"))
    add("gather_512", of<gather<512>, Device>);
  if constexpr (has("gather_1024"))
    add("gather_1024", of<gather<1024>, Device>);
  if constexpr (has("transposed"))
    add("transposed", of<transposed, Device>);
  if constexpr (has("five_points"))
    add("five_points", of<five_points, Device>);
  if constexpr (has("jacobi"))
    add("jacobi", of<jacobi, Device>);
  if constexpr (has("floyd"))
    add("floyd", of<floyd, Device>);
  if constexpr (has("search"))
    add("search", of<search, Device>);
  if constexpr (has("elimination"))
    add("elimination", of<elimination, Device>);
  if constexpr (has("sparse_items"))
    add("sparse_items", of<sparse<float, rows_for::items>, Device>);
  if constexpr (has("sparse_sub_groups"))
    add("sparse_sub_groups", of<sparse<double, rows_for::sub_groups>, Device>);
  if constexpr (has("sobel"))
    add("sobel", of<sobel, Device>);
  if constexpr (has("bilateral"))
    add("bilateral", of<bilateral, Device>);
  if constexpr (has("hash_bytes"))
    add("hash_bytes", of<hashes<hash_of::bytes>, Device>);
  if constexpr (has("hash_words"))
    add("hash_words", of<hashes<hash_of::words>, Device>);
  if constexpr (has("power_montgomery"))
    add("power_montgomery", of<powers<modular::montgomery>, Device>);
  if constexpr (has("power_remainders"))
    add("power_remainders", of<powers<modular::remainders>, Device>);
  if constexpr (has("distances"))
    add("distances", of<distances, Device>);
  if constexpr (has("queens"))
    add("queens", of<queens, Device>);
  if constexpr (has("fourier"))
    add("fourier", of<fourier, Device>);
  if constexpr (has("prefix"))
    add("prefix", of<prefix, Device>);
  if constexpr (has("darts"))
    add("darts", of<darts, Device>);
  return all;
}

} // namespace gpu::patterns

#endif
