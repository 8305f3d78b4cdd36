// Times calls: a row with the name, microseconds (the median of those after the first three) and
// the rate of the bytes that a call must at least move.
#ifndef ALGORITHMS_TIMING_HPP
#define ALGORITHMS_TIMING_HPP

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <vector>

template <class Call> void row(const char *name, double bytes, Call call, int calls = 12) {
  std::vector<double> times;
  for (int i = 0; i < calls; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    const auto end = std::chrono::steady_clock::now();
    if (i >= 3)
      times.push_back(std::chrono::duration<double>(end - begin).count());
  }
  std::sort(times.begin(), times.end());
  const double median = times[times.size() / 2];
  std::printf("%-28s %10.1f us %8.1f GB/s\n", name, median * 1e6, bytes / median / 1e9);
}

// A number from 0 to 1.
#ifdef __CUDACC__
__host__ __device__
#endif
    inline float mixed(std::uint32_t x) {
  x ^= x >> 16, x *= 0x7feb352du;
  x ^= x >> 15, x *= 0x846ca68bu;
  return static_cast<float>(x ^ x >> 16) / 4294967296.0f;
}

#endif
