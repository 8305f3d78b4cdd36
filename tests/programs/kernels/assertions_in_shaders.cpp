// A failed assertion in a kernel that is a shader for Vulkan: the wait throws an exception with the
// expression, file and line, and names the kernel in readable form. Work-items without a failure go
// on. Other devices end the process, or the kernel: see failed_assertion.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

#undef NDEBUG
#include <cassert>

class asserting_kernel;

// In a process of its own: the device is lost for good. Copies of several pieces end with an error.
static void copies_of_a_lost_device_end() {
  if (fork() == 0)
    execl("/proc/self/exe", "copies", "copies", nullptr);
  int status = 1;
  CHECK(wait(&status) > 0 && status == 0);
}

static void copy_behind_an_assertion() {
  constexpr std::size_t bytes = 32 << 20;
  sycl::queue queue{sycl::property::queue::in_order{}};
  char *data = sycl::malloc_device<char>(bytes, queue);
  std::vector<char> copy(bytes);
  queue.single_task([=] { assert(!data); });
  bool failed = false;
  try {
    queue.memcpy(copy.data(), data, bytes).wait_and_throw();
    queue.memcpy(copy.data(), data, bytes).wait_and_throw();
  } catch (const sycl::exception &) {
    failed = true;
  }
  CHECK(failed);
}

int main(int, char **arguments) {
  const char *devices = std::getenv("SINTER_VISIBILITY_MASK");
  if (!devices || std::string(devices) != "vulkan")
    return pass();
  if (arguments[1]) {
    copy_behind_an_assertion();
    std::_Exit(0);
  }
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
  CHECK(text.find("assertions_in_shaders.cpp:62") != std::string::npos);
  CHECK(text.find("asserting_kernel") != std::string::npos);
  CHECK(text.find("_Z") == std::string::npos);
  for (int i = 0; i < 3; ++i)
    CHECK_EQUAL(data[i], 1);
  for (int i = 3; i < 8; ++i)
    CHECK_EQUAL(data[i], 0);
  copies_of_a_lost_device_end();
  return pass();
}
