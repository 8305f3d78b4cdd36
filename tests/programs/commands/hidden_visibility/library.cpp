#include <sycl/sycl.hpp>

extern "C" __attribute__((visibility("default"))) void fail() {
  throw sycl::exception(sycl::errc::nd_range, "from the library");
}
