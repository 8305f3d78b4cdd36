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
  bool is_right = std::count(values.begin(), values.end(), 3) == count;
  // Elements that no group shares evenly, in place and by a function that asks where they lie.
  const std::size_t odd = (std::size_t(1) << 22) + 771;
  std::vector<float> numbers(odd), places(odd);
  std::copy(std::execution::par_unseq, values.begin(), values.begin() + static_cast<std::ptrdiff_t>(odd),
            numbers.begin());
  const float *const first = numbers.data();
  std::transform(std::execution::par_unseq, numbers.begin(), numbers.end(), places.begin(),
                 [first](const float &number) { return static_cast<float>((&number - first) % 1000) + number; });
  std::transform(std::execution::par_unseq, places.begin(), places.end(), numbers.begin(), places.begin(),
                 [](float place, float number) { return place + number; });
  for (std::size_t n = 0; n != odd; ++n)
    is_right &= places[n] == static_cast<float>(n % 1000) + 6;
  std::puts(is_right ? "PASS" : "a loop did not reach each element once");
  return is_right ? 0 : 1;
}
