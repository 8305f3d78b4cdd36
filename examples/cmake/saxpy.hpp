// What main.cpp, compiled by any C++ compiler, sees of the kernels.
#ifndef SAXPY_HPP
#define SAXPY_HPP

#include <string>
#include <vector>

// y = SAXPY_FACTOR * x + y, element by element. Returns the name of the device that did it.
std::string saxpy(const std::vector<float> &x, std::vector<float> &y);

#endif
