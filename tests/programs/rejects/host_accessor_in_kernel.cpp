// error: a kernel and everything it captures must be device copyable
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  sycl::host_accessor elements(buffer);
  queue.single_task([=] { static_cast<void>(elements.size()); });
}
