// error: a kernel and everything it captures must be device copyable
#include <sycl/sycl.hpp>

#include <string>

int main() {
  sycl::queue queue;
  std::string text = "owns memory";
  int *out = sycl::malloc_shared<int>(1, queue);
  queue.single_task([=] { *out = static_cast<int>(text.size()); }).wait();
}
