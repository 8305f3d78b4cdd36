// Shared by the programs. A program prints PASS and returns 0, or prints the failed check and
// returns 1.
#ifndef PROGRAMS_CHECK_HPP
#define PROGRAMS_CHECK_HPP

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                                             \
  do {                                                                                                               \
    if (!(condition)) {                                                                                              \
      std::printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                                            \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (false)

#define CHECK_EQUAL(actual, expected)                                                                                \
  do {                                                                                                               \
    const auto actual_value = (actual);                                                                              \
    const auto expected_value = static_cast<decltype(actual_value)>(expected);                                       \
    if (!(actual_value == expected_value)) {                                                                         \
      std::printf("%s:%d: failed: %s is %.17g, not %.17g\n", __FILE__, __LINE__, #actual,                            \
                  static_cast<double>(actual_value), static_cast<double>(expected_value));                           \
      std::exit(1);                                                                                                  \
    }                                                                                                                \
  } while (false)

inline int pass() {
  std::puts("PASS");
  return 0;
}

#endif
