// A failed assertion in a kernel prints expression, file and line, and aborts; on a GPU the wait
// throws an exception, which is not caught here. Runs in child processes.
// levels: 0 2
// options: -D_GLIBCXX_ASSERTIONS
// needs: errors of the device
#include <sycl/sycl.hpp>

#include <array>
#include <cstring>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "../check.hpp"

#undef NDEBUG
#include <cassert>

static void assert_in_kernel(sycl::queue &queue, int *data) {
  queue
      .parallel_for(4,
                    [=](int i) {
                      assert(data[i] == 42 && "the answer");
                      data[i] = 1;
                    })
      .wait();
}

static void index_out_of_range(sycl::queue &queue, int *data) {
  queue
      .parallel_for(4,
                    [=](int i) {
                      const std::array<int, 3> values{1, 2, 3};
                      data[i] = values[static_cast<std::size_t>(i) + 3];
                    })
      .wait();
}

static void run_child(int errors, void (*fail)(sycl::queue &, int *)) {
  dup2(errors, STDERR_FILENO);
  sycl::queue queue;
  int *data = sycl::malloc_shared<int>(4, queue);
  queue.fill(data, 0, 4).wait();
  fail(queue, data);
  _exit(0);
}

/// Standard error of the child.
static std::string errors_of(void (*fail)(sycl::queue &, int *)) {
  int ends[2];
  CHECK(pipe(ends) == 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0)
    run_child(ends[1], fail);
  close(ends[1]);
  std::string text;
  char part[512];
  for (ssize_t got; (got = read(ends[0], part, sizeof(part))) > 0;)
    text.append(part, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK_EQUAL(WTERMSIG(status), SIGABRT);
  return text;
}

int main() {
  const std::string own = errors_of(assert_in_kernel);
  CHECK(own.find("data[i] == 42 && \"the answer\"") != std::string::npos);
  CHECK(own.find("failed_assertion.cpp:23") != std::string::npos);
  const std::string library = errors_of(index_out_of_range);
  CHECK(library.find("array:") != std::string::npos);
  CHECK(library.find("__n < this->size()") != std::string::npos);
  return pass();
}
