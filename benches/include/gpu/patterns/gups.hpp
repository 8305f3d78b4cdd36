// Random updates of a table: each work-item steps a shift register and combines its values with the
// entries that they index.
//
// The register is that of the RandomAccess benchmark of the HPC Challenge. Plain updates may get
// lost in data races; as there, one entry in a hundred may differ.
#ifndef BENCHES_GPU_PATTERNS_GUPS_HPP
#define BENCHES_GPU_PATTERNS_GUPS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int updates_per_item = 64;

BENCH_SHARED std::uint64_t shifted(std::uint64_t x) { return (x << 1) ^ (static_cast<std::int64_t>(x) < 0 ? 7u : 0u); }

enum class update { atomic, plain };

template <update Kind> struct gups : pattern {
  std::size_t words, items;
  std::uint64_t *table;
  const std::uint64_t *starts;

  template <class Device>
  gups(Device &device, bool small)
      : words(sized(small, std::size_t(1) << 26, 1 << 16)), items(sized(small, 1 << 19, 1 << 9)),
        table(device.template allocate<std::uint64_t>(words)),
        starts(reinterpret_cast<const std::uint64_t *>(device.random_words(2 * items, 101))) {}

  template <class Device> void reset(Device &device) const { device.clear(table, words); }

  template <class Device> bool correct(Device &device) const {
    const std::size_t compared = std::min<std::size_t>(words, 1 << 16), mask = words - 1;
    std::vector<std::uint64_t> wanted(compared);
    for (std::uint64_t x : device.read(starts, items))
      for (int k = 0; k < updates_per_item; k++) {
        x = shifted(x);
        if ((x & mask) < compared)
          wanted[x & mask] ^= x;
      }
    const std::vector<std::uint64_t> found = device.read(table, compared);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < compared; i++)
      wrong += found[i] != wanted[i];
    const bool right = wrong <= (Kind == update::plain ? compared / 100 : 0);
    if (!right)
      std::fprintf(stderr, "gups: %zu of %zu entries differ\n", wrong, compared);
    return right;
  }
};

} // namespace gpu::patterns

#endif
