// Functions of C on complex numbers of double, in kernels.
// levels: 0 2
#include "complex_of_c.hpp"

int main() { return complex_of_c<double>(); }
