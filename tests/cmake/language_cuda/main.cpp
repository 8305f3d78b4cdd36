#include "kernels.hpp"

#include <cstdio>

int main() { std::printf("result: %d\n", add_on_device(2, 3)); }
