// The first call of `free` comes from the search for a function of the C++ library that is not
// there.
// memory: auto shared
// options: --stdpar -static-libstdc++
#include "where.hpp"

#include <algorithm>
#include <vector>

int main() {
  std::vector<int> v(1000, 1);
  std::for_each(std::execution::par_unseq, v.begin(), v.end(), [](int &x) { x += 1; });
  CHECK(std::count(v.begin(), v.end(), 2) == 1000);
  return pass();
}
