// A failed assertion in a kernel that is a shader for Vulkan: the wait throws an exception with the
// expression, file and line, and names the kernel in readable form. Work-items without a failure go
// on. Other devices end the process, or the kernel: see failed_assertion.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <string>

#include "../check.hpp"

#undef NDEBUG
#include <cassert>

class asserting_kernel;

int main() {
  const char *devices = std::getenv("SINTER_VISIBILITY_MASK");
  if (!devices || std::string(devices) != "vulkan")
    return pass();
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(8, queue);
  queue.fill(data, 0, 8).wait();
  std::string text;
  try {
    queue
        .parallel_for<asserting_kernel>(8,
                                        [=](int i) {
                                          for (int j = 0; j <= i; ++j)
                                            assert(j != 3 && "the answer");
                                          data[i] = 1;
                                        })
        .wait_and_throw();
  } catch (const sycl::exception &error) {
    text = error.what();
  }
  std::puts(text.c_str());
  CHECK(text.find("j != 3 && \"the answer\"") != std::string::npos);
  CHECK(text.find("assertions_in_shaders.cpp:29") != std::string::npos);
  CHECK(text.find("asserting_kernel") != std::string::npos);
  CHECK(text.find("_Z") == std::string::npos);
  for (int i = 0; i < 3; ++i)
    CHECK_EQUAL(data[i], 1);
  for (int i = 3; i < 8; ++i)
    CHECK_EQUAL(data[i], 0);
  return pass();
}
