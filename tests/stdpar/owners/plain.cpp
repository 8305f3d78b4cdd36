// The unit without --stdpar.
#include <cstdlib>
#include <numeric>

#include "owners.hpp"

namespace plain {

int *make(std::size_t count) { return static_cast<int *>(std::calloc(count, sizeof(int))); }
void take(int *block) { std::free(block); }
std::vector<int> counted(std::size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}
void extend(std::vector<int> &values, std::size_t count) {
  while (values.size() != count)
    values.push_back(static_cast<int>(values.size()));
}
std::string joined(const std::string &left, const std::string &right) { return left + right; }

} // namespace plain
