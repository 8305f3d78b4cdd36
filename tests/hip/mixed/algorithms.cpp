// The unit with parallel algorithms.
#include <algorithm>
#include <execution>
#include <vector>

void add_with_algorithms(std::vector<int> &values, int by) {
  std::for_each(std::execution::par_unseq, values.begin(), values.end(), [=](int &x) { x += by; });
}
