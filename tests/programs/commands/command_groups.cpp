// A command group has at most one command, of any kind, with a closure of any size.
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct block {
  int values[300];
};

int main() {
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(300, queue);

  queue.submit([&](sycl::handler &handler) { handler.single_task<class one>([=] { data[0] = 1; }); }).wait();
  CHECK_EQUAL(data[0], 1);
  queue.submit([&](sycl::handler &) {}).wait();
  queue.submit([&](sycl::handler &handler) { handler.prefetch(data, 4); }).wait();

  bool refused = false;
  try {
    queue.submit([&](sycl::handler &handler) {
      handler.memset(data, 0, 4);
      handler.memset(data, 1, 4);
    });
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::invalid;
  }
  CHECK(refused);
  queue.wait();
  CHECK_EQUAL(data[0], 1);

  // A failed command group is submitted to the second queue, a successful one is not.
  sycl::queue second;
  int calls = 0;
  queue.submit(
      [&](sycl::handler &handler) {
        if (++calls == 1)
          throw sycl::exception(sycl::make_error_code(sycl::errc::invalid), "the first queue");
        handler.single_task([=] { data[0] = 7; });
      },
      second);
  second.wait();
  CHECK_EQUAL(data[0], 7);
  queue.submit([&](sycl::handler &handler) { handler.single_task([=] { data[0] = 1; }); }, second).wait();
  CHECK_EQUAL(data[0], 1);
  CHECK_EQUAL(calls, 2);

  // The closure goes out of scope before the kernel runs.
  block large{};
  for (int i = 0; i < 300; ++i)
    large.values[i] = i * 3;
  sycl::event event = queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::range<1>(300), [=](auto i) { data[i] = large.values[i]; });
  });
  large = {};
  event.wait();
  for (int i = 0; i < 300; ++i)
    CHECK_EQUAL(data[i], i * 3);

  // An exception of the program propagates through submit.
  bool passed = false;
  try {
    queue.submit([&](sycl::handler &) { throw 42; });
  } catch (int number) {
    passed = number == 42;
  }
  CHECK(passed);
  sycl::free(data, queue);
  return pass();
}
