// A kernel that copies more than an array holds, which a sanitizer has to see: kernels call what it puts in memcpy's place.
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
