// A loop over millions of elements reaches each of them, also in groups on the CPU.
// options: --stdpar
// group-sizes: 256
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <execution>
#include <vector>

int main() {
  const std::ptrdiff_t count = 5000000;
  std::vector<int> values(static_cast<std::size_t>(count), 1);
  std::for_each(std::execution::par_unseq, values.begin(), values.end(), [](int &value) { value += 2; });
  const bool is_right = std::count(values.begin(), values.end(), 3) == count;
  std::puts(is_right ? "PASS" : "a loop did not reach each element once");
  return is_right ? 0 : 1;
}
