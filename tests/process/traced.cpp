// A program whose trace is looked at. Argument: how it ends. Its exit status is 7 unless it is
// killed.
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

constexpr int status = 7;
constexpr size_t size = 4096;

void work(sycl::queue &queue, float *from, float *to) {
  queue.fill(from, 2.0f, size).wait();
  for (int round = 0; round < 3; ++round)
    queue.parallel_for<class doubling>(size, [=](sycl::id<1> i) { from[i] = from[i] * 2 + sycl::sin(from[i]); });
  queue.memcpy(to, from, size * sizeof(float));
  queue.parallel_for<class halving>(size, [=](sycl::id<1> i) { to[i] = to[i] / 2 + sycl::cos(to[i]); }).wait();
}

} // namespace

int main(int, char **arguments) {
  const std::string how = arguments[1];
  sycl::queue queue{sycl::property::queue::in_order()};
  auto *from = sycl::malloc_shared<float>(size, queue);
  auto *to = sycl::malloc_shared<float>(size, queue);
  work(queue, from, to);
  sinter::wait_for_jit();
  if (how == "kill") {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    work(queue, from, to);
    std::raise(SIGKILL);
  }
  if (how == "exit in a thread")
    std::thread([&] {
      work(queue, from, to);
      std::exit(status);
    }).join();
  return status;
}
