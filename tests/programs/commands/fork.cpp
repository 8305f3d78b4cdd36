// In a forked child a queue of the parent rejects commands, and a new one works. A GPU is
// unavailable to the child.
// devices: host
#include <sycl/sycl.hpp>

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

namespace {

constexpr std::size_t size = 1 << 16;

struct add_one {
  unsigned *data;
  void operator()(sycl::id<1> i) const { data[i] += 1; }
};

int child(sycl::queue &inherited, unsigned *data) {
  alarm(60);
  inherited.wait(); // all was complete
  try {
    inherited.parallel_for(size, add_one{data});
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(std::strstr(error.what(), "fork") != nullptr);
  }
  sycl::queue fresh;
  for (int round = 0; round < 10; ++round)
    fresh.parallel_for(size, add_one{data});
  fresh.wait();
  for (std::size_t i = 0; i < size; ++i)
    CHECK_EQUAL(data[i], 11);
  return 0;
}

} // namespace

int main() {
  sycl::queue queue;
  unsigned *data = sycl::malloc_shared<unsigned>(size, queue);
  queue.fill(data, 0u, size);
  queue.parallel_for(size, add_one{data}).wait();
  const pid_t process = fork();
  if (process == 0)
    _exit(child(queue, data));
  int status = 0;
  CHECK(waitpid(process, &status, 0) == process);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  queue.parallel_for(size, add_one{data}).wait();
  CHECK_EQUAL(data[size - 1], 2);
  sycl::free(data, queue);
  return pass();
}
