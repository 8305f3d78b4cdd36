// Host code that no device could run does not disturb a kernel in the same translation unit.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <cstdarg>
#include <cstring>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include "../check.hpp"

struct shape {
  virtual ~shape() = default;
  virtual int corners() const = 0;
};
struct square final : shape {
  int corners() const override { return 4; }
};

static thread_local int per_thread = 1;

static unsigned long stack_pointer() {
  unsigned long result = 0;
  asm volatile("mov %%rsp, %0" : "=r"(result));
  return result;
}

static int sum(int count, ...) {
  va_list list;
  va_start(list, count);
  int total = 0;
  while (count-- > 0)
    total += va_arg(list, int);
  va_end(list);
  return total;
}

static const std::string &lazily() {
  static const std::string text = "static";
  return text;
}

int main() {
  const std::unique_ptr<shape> one = std::make_unique<square>();
  std::map<std::string, int> map{{"corners", one->corners()}};
  std::ostringstream stream;
  stream << lazily() << map["corners"] << 1.0L;
  const std::function<int(int)> twice = [](int x) { return 2 * x; };
  std::thread([] { per_thread = 5; }).join();
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception &error) {
    CHECK(std::strcmp(error.what(), "caught") == 0);
  }
  CHECK(stack_pointer() != 0);
  CHECK(stream.str() == "static41");
  CHECK_EQUAL(per_thread, 1);

  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(10, queue);
  const int start = twice(sum(3, 1, 2, 3));
  queue.parallel_for(10, [=](int i) { out[i] = start + i; }).wait();
  for (int i = 0; i < 10; ++i)
    CHECK_EQUAL(out[i], 12 + i);
  sycl::free(out, queue);
  return pass();
}
