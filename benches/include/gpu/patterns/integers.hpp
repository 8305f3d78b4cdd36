// 64-bit arithmetic: hashes of records, and modular powers.
#ifndef BENCHES_GPU_PATTERNS_INTEGERS_HPP
#define BENCHES_GPU_PATTERNS_INTEGERS_HPP

#include "pattern.hpp"

namespace gpu::patterns {

// Bytes of a record, read one by one.
constexpr int hashed_bytes = 128;

BENCH_SHARED std::uint64_t fnv(const std::uint8_t *bytes, int count) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (int i = 0; i < count; i++)
    hash = (hash ^ bytes[i]) * 0x100000001b3;
  return hash;
}

BENCH_SHARED std::uint64_t rotated(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

// xxHash64 of words in four lanes, with its finalisation.
BENCH_SHARED std::uint64_t xx(const std::uint64_t *words, int count) {
  constexpr std::uint64_t p1 = 0x9e3779b185ebca87, p2 = 0xc2b2ae3d27d4eb4f, p3 = 0x165667b19e3779f9,
                          p4 = 0x85ebca77c2b2ae63;
  std::uint64_t lane[4] = {p1 + p2, p2, 0, 0 - p1};
  for (int i = 0; i < count; i += 4)
    for (int k = 0; k < 4; k++)
      lane[k] = rotated(lane[k] + words[i + k] * p2, 31) * p1;
  std::uint64_t hash = rotated(lane[0], 1) + rotated(lane[1], 7) + rotated(lane[2], 12) + rotated(lane[3], 18);
  for (int k = 0; k < 4; k++)
    hash = (hash ^ rotated(lane[k] * p2, 31) * p1) * p1 + p4;
  hash += static_cast<std::uint64_t>(count) * 8;
  hash = (hash ^ (hash >> 33)) * p2;
  hash = (hash ^ (hash >> 29)) * p3;
  return hash ^ (hash >> 32);
}

enum class hash_of { bytes, words };

template <hash_of Kind> struct hashes : pattern {
  std::size_t records;
  const std::uint32_t *in;
  std::uint64_t *out;

  template <class Device>
  hashes(Device &device, bool small)
      : records(sized(small, 1 << 21, 1 << 12)), in(device.random_words(records * hashed_bytes / 4, 231)),
        out(device.template allocate<std::uint64_t>(records)) {
    bytes = double(records) * (hashed_bytes + sizeof(std::uint64_t));
  }

  BENCH_SHARED static std::uint64_t at(const std::uint32_t *in, std::size_t record) {
    if constexpr (Kind == hash_of::bytes)
      return fnv(reinterpret_cast<const std::uint8_t *>(in) + record * hashed_bytes, hashed_bytes);
    else
      return xx(reinterpret_cast<const std::uint64_t *>(in) + record * hashed_bytes / 8, hashed_bytes / 8);
  }

  template <class Device> void reset(Device &device) const { device.poison(out, records); }

  template <class Device> bool correct(Device &device) const {
    const std::vector<std::uint32_t> here = device.read(in, records * hashed_bytes / 4);
    return same("hashes", device.read(out, records),
                filled(records, [&](std::size_t i) { return at(here.data(), i); }));
  }
};

// Montgomery product: a * b / 2^64 modulo `modulus`; `inverse` times the modulus is -1 modulo 2^64.
BENCH_SHARED std::uint64_t montgomery(std::uint64_t a, std::uint64_t b, std::uint64_t modulus, std::uint64_t inverse) {
  const std::uint64_t low = a * b, high = math::mul_hi(a, b), factor = low * inverse;
  const std::uint64_t sum = high + math::mul_hi(factor, modulus) + (low != 0);
  return sum >= modulus ? sum - modulus : sum;
}

// base^exponent * 2^64 modulo an odd number below 2^63, from base * 2^64 and 2^64 modulo that
// number.
BENCH_SHARED std::uint64_t power(std::uint64_t base, std::uint64_t one, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t inverse = modulus;
  for (int k = 0; k < 5; k++)
    inverse *= 2 - modulus * inverse;
  std::uint64_t result = one;
  for (; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      result = montgomery(result, base, modulus, 0 - inverse);
    base = montgomery(base, base, modulus, 0 - inverse);
  }
  return result;
}

// The same by remainders, for a modulus below 2^32.
BENCH_SHARED std::uint64_t power_by_remainders(std::uint64_t base, std::uint64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1 % modulus;
  for (base %= modulus; exponent > 0; exponent >>= 1) {
    if (exponent & 1)
      result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

enum class modular { montgomery, remainders };

template <modular Kind> struct powers : pattern {
  std::size_t count;
  const std::uint64_t *in;
  std::uint64_t *out;

  template <class Device>
  powers(Device &device, bool small)
      : count(sized(small, 1 << 20, 1 << 11)),
        in(reinterpret_cast<const std::uint64_t *>(device.random_words(2 * count, 232))),
        out(device.template allocate<std::uint64_t>(count)) {}

  // Derives base, modulus and exponent from one word.
  BENCH_SHARED static std::uint64_t at(std::uint64_t word) {
    const std::uint64_t modulus = (word >> (Kind == modular::montgomery ? 1 : 33)) | 0x40000001;
    if constexpr (Kind == modular::montgomery) {
      const std::uint64_t one = (0 - modulus) % modulus;
      return power(word % modulus, one, word ^ 0x5555555555555555, modulus);
    } else {
      return power_by_remainders(word, word ^ 0x5555555555555555, modulus);
    }
  }

  template <class Device> void reset(Device &device) const { device.poison(out, count); }

  // Compares every 16th power with one computed by 128-bit products.
  template <class Device> bool correct(Device &device) const {
    const std::vector<std::uint64_t> words = device.read(in, count), all = device.read(out, count);
    std::vector<std::uint64_t> found, wanted;
    for (std::size_t i = 0; i < count; i += 16) {
      const std::uint64_t word = words[i], modulus = (word >> (Kind == modular::montgomery ? 1 : 33)) | 0x40000001;
      const auto times = [modulus](std::uint64_t a, std::uint64_t b) {
        return std::uint64_t(static_cast<unsigned __int128>(a) * b % modulus);
      };
      const auto raised = [&](std::uint64_t base, std::uint64_t exponent) {
        std::uint64_t result = 1;
        for (; exponent > 0; exponent >>= 1, base = times(base, base))
          result = exponent & 1 ? times(result, base) : result;
        return result;
      };
      // Base and result of Montgomery's method carry a factor of 2^64; 64 halvings remove it.
      const std::uint64_t one = (0 - modulus) % modulus, undone = raised((modulus + 1) / 2, 64);
      const std::uint64_t exponent = word ^ 0x5555555555555555, base = word % modulus;
      found.push_back(all[i]);
      wanted.push_back(Kind == modular::montgomery ? times(raised(times(base, undone), exponent), one)
                                                   : raised(base, exponent));
    }
    return same("powers", found, wanted);
  }
};

} // namespace gpu::patterns

#endif
