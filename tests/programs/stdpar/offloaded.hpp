// Shared by the tests of parallel algorithms: inputs, and where an algorithm ran.
#ifndef TESTS_STDPAR_OFFLOADED_HPP
#define TESTS_STDPAR_OFFLOADED_HPP

#include <sinter/sinter.h>

#include <cstddef>
#include <cstdint>
#include <execution>
#include <vector>

#include "../check.hpp"

// Sizes around those at which the primitives change: none, one part, several, a last short one.
inline const std::size_t sizes[] = {0, 1, 2, 17, 2047, 2048, 4096, 4097, 10000, 100003};

inline std::uint64_t launches() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.launches;
}

// Calls an algorithm and returns its result. It must use a device.
template <class Algorithm> auto on_device(Algorithm algorithm) {
  const std::uint64_t before = launches();
  const auto result = algorithm();
  CHECK(launches() > before);
  return result;
}

// The same for a range of `size` elements: with fewer than two there may be nothing to do.
template <class Algorithm> auto on_device(std::size_t size, Algorithm algorithm) {
  return size > 1 ? on_device(algorithm) : algorithm();
}

// It must not use one.
template <class Algorithm> auto on_host(Algorithm algorithm) {
  const std::uint64_t before = launches();
  const auto result = algorithm();
  CHECK(launches() == before);
  return result;
}

// Pseudo-random numbers that are the same on each run.
template <class Type> std::vector<Type> numbers(std::size_t size, std::uint64_t range = 1u << 20) {
  std::vector<Type> result(size);
  std::uint64_t state = 0x9e3779b97f4a7c15u;
  for (Type &number : result) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    number = static_cast<Type>(static_cast<std::int64_t>((state >> 33) % range) - static_cast<std::int64_t>(range / 2));
  }
  return result;
}

// Calls a test with each policy that permits parallel execution, and each size.
template <class Test> void with_policies(Test test) {
  for (const std::size_t size : sizes) {
    test(std::execution::par_unseq, size);
    test(std::execution::par, size);
  }
}

// Calls a test with each size. Kernels are the same for all policies, and many take long to
// translate.
template <class Test> void with_sizes(Test test) {
  for (const std::size_t size : sizes)
    test(std::execution::par_unseq, size);
}

#endif
