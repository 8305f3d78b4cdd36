// The containers of the standard library that check their use.
// options: --stdpar -D_GLIBCXX_DEBUG
#include <algorithm>
#include <deque>

#include "offloaded.hpp"

int main() {
  std::vector<int> v = numbers<int>(1000);
  std::deque<int> d(v.begin(), v.end());
  std::transform(std::execution::par_unseq, d.begin(), d.end(), d.begin(), [](int x) { return x + 1; });
  std::sort(std::execution::par_unseq, v.data(), v.data() + v.size());
  CHECK(std::is_sorted(v.begin(), v.end()) && std::count(d.begin(), d.end(), v.front() + 1) > 0);
  return pass();
}
