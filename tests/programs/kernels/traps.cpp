// A kernel that throws ends the process with a line that names it; on a GPU the wait throws. Runs
// in a child process that does not catch the exception.
// needs: errors of the device
#include <sycl/sycl.hpp>

#include <cstring>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

class throwing_kernel;

static void run_child(int errors) {
  dup2(errors, STDERR_FILENO);
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(4, queue);
  queue.fill(data, 0, 4).wait();
  queue
      .parallel_for<throwing_kernel>(sycl::range<1>{4},
                                     [=](sycl::id<1> i) {
                                       if (data[i] == 0)
                                         throw 42;
                                     })
      .wait();
  _exit(0);
}

int main() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    run_child(ends[1]);
  close(ends[1]);
  char text[4096] = {};
  std::size_t size = 0;
  for (ssize_t got; size + 1 < sizeof(text) && (got = read(ends[0], text + size, sizeof(text) - 1 - size)) > 0;)
    size += static_cast<std::size_t>(got);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK_EQUAL(WTERMSIG(status), SIGABRT);
  CHECK(std::strstr(text, "throwing_kernel") != nullptr);
  // Queried only now: a child cannot use a GPU that its parent has used.
  const bool is_cpu = sycl::device().is_cpu();
  CHECK(std::strstr(text, is_cpu ? "it threw an exception" : "sycl::exception") != nullptr);
  return pass();
}
