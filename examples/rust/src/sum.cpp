// The sum of each tile of n numbers: one tile for each work-group, whose size is a power of two.
#include <sinter/kernel.hpp>

struct Sum {
  const std::uint32_t *numbers;
  std::uint64_t *sums;
  std::uint64_t n;
};

SINTER_KERNEL(sum, Sum, k) {
  // One element for each work-item of the group; the launch requests this size.
  std::uint64_t *tile = sinter::local_memory<std::uint64_t>();
  const std::size_t i = sinter::global_id(), local = sinter::local_id();
  tile[local] = i < k.n ? k.numbers[i] : 0;
  for (std::size_t half = sinter::local_size() / 2; half > 0; half /= 2) {
    sinter::group_barrier();
    if (local < half)
      tile[local] += tile[local + half];
  }
  if (local == 0)
    k.sums[sinter::group_id()] = tile[0];
}
