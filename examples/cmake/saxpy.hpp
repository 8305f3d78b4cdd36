// The interface of the kernels for main.cpp, which any C++ compiler compiles.
#ifndef SAXPY_HPP
#define SAXPY_HPP

#include <string>
#include <vector>

// y = SAXPY_FACTOR * x + y, element by element. Returns the name of the device that ran it.
std::string saxpy(const std::vector<float> &x, std::vector<float> &y);

#endif
