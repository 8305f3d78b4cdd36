// The kernel of cpu/first.cpp as a function: compiled to bitcode once, then to a shared object by
// child processes, which is the cost of a translator outside of the process.
#include <cstddef>

extern "C" void kernel(const double *a, const double *b, double *sum, std::size_t elements) {
  for (std::size_t i = 0; i < elements; i++)
    sum[i] = a[i] + b[i];
}
