// A kernel that needs more than the device has throws an error with its name, its line in this file
// and what is missing; other kernels of the same file and queue go on.
// levels: 0 2
// options: -g
#include <sycl/sycl.hpp>

#include <string>

#include "../check.hpp"

namespace {

int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }

class needs_more;
class sibling;

// Places with that name in the error of the kernel.
constexpr int first_line = __LINE__ + 2;
void call_through_pointer(sycl::queue &queue, int *data) {
  queue.single_task<needs_more>([=] {
    int (*volatile function)(int) = data[0] == 7 ? twice : thrice;
    data[1] = function(data[0]);
  });
}
constexpr int last_line = __LINE__;

void add_ten(sycl::queue &queue, int *data) {
  queue.single_task<sibling>([=] { data[2] += 10; });
}

// Devices that take SPIR-V have no pointers to functions.
bool has_pointers(const sycl::device &device) {
  const auto backend = device.get_backend();
  return backend != sycl::backend::opencl && backend != sycl::backend::level_zero && backend != sycl::backend::vulkan;
}

bool names_a_line(const std::string &text) {
  for (int line = first_line; line <= last_line; ++line)
    if (text.find("missing_features.cpp:" + std::to_string(line)) != std::string::npos)
      return true;
  return false;
}

} // namespace

int main() {
  sycl::queue queue{sycl::property::queue::in_order()};
  int *data = sycl::malloc_shared<int>(3, queue);
  data[0] = 7, data[1] = 0, data[2] = 0;
  add_ten(queue, data);
  for (int round = 0; round < 2; ++round) {
    std::string error;
    try {
      call_through_pointer(queue, data);
    } catch (const sycl::exception &thrown) {
      error = thrown.what();
    }
    add_ten(queue, data);
    queue.wait();
    CHECK_EQUAL(data[2], 20 + 10 * round);
    CHECK_EQUAL(error.empty(), has_pointers(queue.get_device()));
    CHECK_EQUAL(data[1], error.empty() ? 14 : 0);
    CHECK(error.empty() || (error.find("needs_more") != std::string::npos && names_a_line(error) &&
                            error.find("a call through a pointer") != std::string::npos));
  }
  sycl::free(data, queue);
  return pass();
}
