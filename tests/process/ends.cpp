// A process that exits while a detached thread translates its first kernel. Arguments: the kind of
// exit, and its time in milliseconds. Its exit status is 7.
#include <sycl/sycl.hpp>

#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int status = 7;

void launch() {
  static float data[1024];
  float *pointer = data;
  sycl::queue queue;
  queue.parallel_for(1024, [=](sycl::id<1> i) { pointer[i] = sycl::sin(pointer[i]) + sycl::exp(pointer[i]); }).wait();
}

// Exit status of a child that exits at once, while another thread of its parent translates.
int child() {
  const pid_t process = fork();
  if (process == 0)
    std::exit(status);
  int ended = 0;
  waitpid(process, &ended, 0);
  return WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
}

} // namespace

int main(int, char **arguments) {
  const std::string how = arguments[1];
  std::thread(launch).detach();
  usleep(static_cast<useconds_t>(std::atoi(arguments[2])) * 1000);
  if (how == "exit")
    std::exit(status);
  if (how == "quick_exit")
    std::quick_exit(status);
  if (how == "_exit")
    _exit(status);
  return how == "fork" ? child() : status;
}
