// error: host_access of this device_global lets the host not write it
#include <sycl/sycl.hpp>

namespace oneapi = sycl::ext::oneapi::experimental;

oneapi::device_global<int, decltype(oneapi::properties{oneapi::host_access_read})> read_only;

int main() {
  const int value = 1;
  sycl::queue().copy(&value, read_only).wait();
}
