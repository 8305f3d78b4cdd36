// Functions of another file.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int thrice(int x);
SYCL_EXTERNAL long weighted(const int *table, int x);
int plain(int x);
