// A process that exits while a detached thread translates its first kernel, and threads of the
// runtime may prepare others. Arguments: the kind of exit, and its time in milliseconds. Its exit
// status is 7.
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

// Kernels that are never launched, only prepared.
[[maybe_unused]] void never(sycl::queue queue, float *pointer) {
  queue.parallel_for(1024, [=](sycl::id<1> i) { pointer[i] = sycl::cos(pointer[i]); });
  queue.parallel_for(1024, [=](sycl::id<1> i) { pointer[i] = sycl::tan(pointer[i]) + sycl::log(pointer[i]); });
  queue.parallel_for(1024, [=](sycl::id<1> i) { pointer[i] = sycl::pow(pointer[i], pointer[i + 1024]); });
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
  if (how == "never")
    never(sycl::queue(), nullptr);
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
