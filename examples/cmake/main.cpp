// Plain C++, compiled by any compiler.
#include "saxpy.hpp"

#include <cstdio>

int main() {
  const std::vector<float> x(1000, 1.0f);
  std::vector<float> y(1000, 2.0f);
  const std::string device = saxpy(x, y);
  for (const float value : y)
    if (value != SAXPY_FACTOR + 2.0f) {
      std::printf("wrong result: %g\n", value);
      return 1;
    }
  std::printf("saxpy on %s: %g\n", device.c_str(), y[0]);
  return 0;
}
