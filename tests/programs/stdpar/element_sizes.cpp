// Sorting, merging and set operations of elements of many sizes, by orders that have a state.
// options: --stdpar -Wno-deprecated-declarations
// group-sizes: 256
// devices: host
#include <algorithm>

#include "offloaded.hpp"

// Elements with the same key are told apart by their place.
template <std::size_t Size> struct Sized {
  unsigned short key;
  unsigned short place;
  unsigned char rest[Size - 4];
  friend bool operator==(const Sized &x, const Sized &y) {
    return x.key == y.key && x.place == y.place && x.rest[Size - 5] == y.rest[Size - 5];
  }
};

// By the keys' ranks, and by the bits of a mask that is a part of the order.
struct Ranked {
  const int *ranks;
  unsigned mask;
  mutable unsigned calls = 0;
  template <class Type> bool operator()(const Type &x, const Type &y) {
    ++calls;
    return ranks[x.key & mask] < ranks[y.key & mask];
  }
};

template <class Type> std::vector<Type> elements(std::size_t n, std::size_t skipped) {
  const auto keys = numbers<unsigned short>(n + skipped, 50);
  std::vector<Type> result(n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i].key = static_cast<unsigned short>(keys[i + skipped] & 63);
    result[i].place = static_cast<unsigned short>(i + skipped);
    result[i].rest[sizeof(Type) - 5] = static_cast<unsigned char>(i);
  }
  return result;
}

template <class Type> void check(std::size_t n) {
  std::vector<int> ranks(64);
  for (int i = 0; i < 64; ++i)
    ranks[std::size_t(i)] = i * 37 % 64;
  const auto policy = std::execution::par_unseq;
  const Ranked order{ranks.data(), 63};
  auto a = elements<Type>(n, 0), wanted = a;
  on_device([&] { return std::stable_sort(policy, a.begin(), a.end(), order), 0; });
  std::stable_sort(wanted.begin(), wanted.end(), order);
  CHECK(a == wanted);
  auto b = elements<Type>(n / 3 + 1, 7);
  std::stable_sort(b.begin(), b.end(), order);
  std::vector<Type> merged(a.size() + b.size()), expected = merged;
  on_device([&] { return std::merge(policy, a.begin(), a.end(), b.begin(), b.end(), merged.begin(), order); });
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin(), order);
  CHECK(merged == expected);
  std::copy(a.begin(), a.end(), merged.begin());
  const auto middle = std::copy(b.begin(), b.end(), merged.begin() + long(n)) - long(b.size());
  on_device([&] { return std::inplace_merge(policy, merged.begin(), middle, merged.end(), order), 0; });
  CHECK(merged == expected);
  const auto same = [&](auto operate) {
    std::vector<Type> kept(a.size() + b.size()), known = kept;
    const auto end = on_device([&] { return operate(kept.begin(), policy); });
    CHECK(end - kept.begin() == operate(known.begin()) - known.begin() && kept == known);
  };
  const auto first = a.begin(), last = a.end(), other = b.begin(), end = b.end();
  same([&](auto out, auto... p) { return std::set_union(p..., first, last, other, end, out, order); });
  same([&](auto out, auto... p) { return std::set_intersection(p..., first, last, other, end, out, order); });
  same([&](auto out, auto... p) { return std::set_difference(p..., other, end, first, last, out, order); });
  same([&](auto out, auto... p) { return std::set_symmetric_difference(p..., first, last, other, end, out, order); });
}

int main() {
  for (const std::size_t n : {2, 255, 3841, 20000})
    check<Sized<6>>(n);
#ifndef FEWER_INSTANCES
  check<Sized<40>>(2500);
#endif
  check<Sized<3000>>(400);
  // Too large for the memory of a group.
  check<Sized<24000>>(100);
  return pass();
}
