// Functions of C on complex numbers of float, in kernels.
// levels: 0 2
#include "complex_of_c.hpp"

int main() { return complex_of_c<float>(); }
