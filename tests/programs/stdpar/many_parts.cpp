// Ranges of so many parts that one launch finds the places of all, for groups that merge them.
// options: --stdpar
// group-sizes: 16
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <execution>
#include <vector>

int main() {
  // More than 8192 times 16 work-items with 15 elements each; the last part is short.
  const std::size_t count = 8200 * 16 * 15 + 77;
  std::vector<std::uint32_t> values(count);
  for (std::size_t n = 0; n != count; ++n)
    values[n] = static_cast<std::uint32_t>(n * 2654435761u) % 100003u;
  std::vector<std::uint32_t> expected = values, merged(count), united(count), expected_union(count);
  const auto by_number = [](std::uint32_t left, std::uint32_t right) { return left < right; };
  std::sort(std::execution::par_unseq, values.begin(), values.end(), by_number);
  std::sort(expected.begin(), expected.end());
  bool is_right = values == expected;
  // Two sorted ranges: every third element, and the others.
  std::vector<std::uint32_t> third, others;
  for (std::size_t n = 0; n != count; ++n)
    (n % 3 == 0 ? third : others).push_back(expected[n]);
  std::merge(std::execution::par_unseq, third.begin(), third.end(), others.begin(), others.end(), merged.begin());
  is_right &= merged == expected;
  const auto end = std::set_union(std::execution::par_unseq, third.begin(), third.end(), others.begin(), others.end(),
                                  united.begin());
  const auto expected_end =
      std::set_union(third.begin(), third.end(), others.begin(), others.end(), expected_union.begin());
  is_right &= end - united.begin() == expected_end - expected_union.begin() && united == expected_union;
  std::puts(is_right ? "PASS" : "parts were merged in a wrong way");
  return is_right ? 0 : 1;
}
