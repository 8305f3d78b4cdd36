// Exchanges within a group: between a blocked and a striped order, and a bitonic sort.
#ifndef BENCHES_GPU_PATTERNS_EXCHANGE_HPP
#define BENCHES_GPU_PATTERNS_EXCHANGE_HPP

#include "pattern.hpp"

namespace gpu::patterns {

constexpr int values_per_item = 8, exchange_rounds = 4;

// Changes values between two exchanges, so that the optimiser removes neither.
BENCH_SHARED std::uint32_t stirred(std::uint32_t x, int round) { return x * 2654435761u + round; }

// From blocked to striped and back, four times. Slots of local memory are padded by one for each
// 32.
struct exchange : pattern_of_words {
  static constexpr int tile = int(group_size) * values_per_item, padded = tile + tile / 32;

  template <class Device>
  exchange(Device &device, bool small) : pattern_of_words(device, sized(small, std::size_t(1) << 25, 1 << 14), 131) {}

  // After the last round a value is back at its position, mixed with its positions in all rounds.
  template <class Device> bool correct(Device &device) const {
    const auto wanted = filled(count, [](std::size_t i) {
      std::uint32_t x = random_word(131, i);
      const std::uint32_t at = i % tile, striped = at % group_size, blocked = at / values_per_item;
      for (int round = 0; round < exchange_rounds; round++)
        x = stirred(stirred(x, round) + striped, round) + blocked;
      return x;
    });
    return same("exchange", device.read(out, count), wanted);
  }
};

BENCH_SHARED int padded_slot(int i) { return i + i / 32; }

// Sorts blocks of 1024 keys, two for each work-item.
struct bitonic : pattern_of_words {
  static constexpr int keys = 1024, items = keys / 2;

  template <class Device>
  bitonic(Device &device, bool small) : pattern_of_words(device, sized(small, std::size_t(1) << 24, 1 << 13), 132) {}

  template <class Device> bool correct(Device &device) const {
    const std::vector<std::uint32_t> found = device.read(out, count);
    for (std::size_t block = 0; block < count / keys; block += 1 + count / keys / 64) {
      const auto first = found.begin() + static_cast<std::ptrdiff_t>(block * keys);
      auto wanted = filled(keys, [=](std::size_t i) { return random_word(132, block * keys + i); });
      std::sort(wanted.begin(), wanted.end());
      if (!same("bitonic", std::vector<std::uint32_t>(first, first + keys), wanted))
        return false;
    }
    return true;
  }
};

} // namespace gpu::patterns

#endif
