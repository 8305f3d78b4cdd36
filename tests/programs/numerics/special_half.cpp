// Functions of sycl::half at special arguments follow C's Annex F.
#include "special_values.hpp"

int main() { return special_values<sycl::half>(); }
