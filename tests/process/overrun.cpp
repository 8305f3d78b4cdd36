// A kernel that copies beyond the end of an array. A sanitizer must detect it: kernels call its
// interceptor of memcpy.
#include <sycl/sycl.hpp>

#include <cstring>
#include <vector>

int main() {
  sycl::queue queue;
  std::vector<char> source(8192, 1), target(4096);
  const char *from = source.data();
  char *to = target.data();
  const std::size_t size = target.size() + 100;
  queue.single_task([=] { std::memcpy(to, from, size); }).wait();
  return target[0] - 1;
}
