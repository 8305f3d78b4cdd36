// Random inputs that host and device generate identically without a copy: element `i` of stream
// `seed` is a pure function.
#ifndef BENCHES_GPU_RANDOM_HPP
#define BENCHES_GPU_RANDOM_HPP

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#define BENCH_SHARED __host__ __device__ inline
#else
#define BENCH_SHARED inline
#endif

namespace gpu {

// An integer hash of the shift-multiply kind; every bit of the result depends on every bit of `x`.
BENCH_SHARED std::uint32_t scramble(std::uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ (x >> 16);
}

BENCH_SHARED std::uint32_t random_word(std::uint32_t seed, std::size_t i) {
  return scramble(scramble(static_cast<std::uint32_t>(i)) + seed * 0x9e3779b9u);
}

// In [low, high), bitwise equal on every side: 24 random bits, a multiplication by a power of two,
// and one by the width.
template <class T> BENCH_SHARED T random_real(std::uint32_t seed, std::size_t i, T low, T high) {
  const T unit = static_cast<T>(random_word(seed, i) >> 8) * static_cast<T>(1.0 / 16777216);
  const T scaled = (high - low) * unit;
  return low + scaled;
}

} // namespace gpu

#endif
