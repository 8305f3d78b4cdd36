// A kernel that calls an undefined function: errc::build with the name; the program and its queue
// continue.
// options: -Wno-sinter-unresolved
#include <sycl/sycl.hpp>

#include <cstring>

#include "../check.hpp"

extern "C" int nobody_defines_this(int);

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  *out = 0;
  for (int attempt = 0; attempt < 2; ++attempt) {
    bool failed = false;
    try {
      queue.parallel_for(8, [=](int i) { out[i] = nobody_defines_this(i); }).wait();
    } catch (const sycl::exception &error) {
      failed = true;
      CHECK(error.code() == sycl::errc::build);
      CHECK(std::strstr(error.what(), "nobody_defines_this") != nullptr);
    }
    CHECK(failed);
  }
  queue.parallel_for(8, [=](int i) { out[i] = i; }).wait();
  CHECK_EQUAL(out[7], 7);
  sycl::free(out, queue);
  return pass();
}
