// A callable that throws ends the program by std::terminate, behind a line with the kernel's name.
// The program calls itself: a driver may not survive a kernel that stops.
// options: --stdpar
// needs: errors of the device
#include <algorithm>
#include <cstring>
#include <exception>
#include <numeric>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "offloaded.hpp"

__attribute__((noinline)) static void refuse(int x) {
  if (x == 777)
    throw x;
}

struct Strict {
  void operator()(int &x) const {
    if (x == 777)
      throw 1;
    x += 1;
  }
};
struct Careful {
  long operator()(int x) const {
    refuse(x);
    return x;
  }
};

static int fail(const char *kind) {
  std::vector<int> numbers(5000);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::set_terminate([] { _exit(7); });
  try {
    if (std::strcmp(kind, "Strict") == 0) {
      std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), Strict{});
      return numbers[0];
    }
    return std::transform_reduce(std::execution::par, numbers.begin(), numbers.end(), 0L, std::plus<>(), Careful{}) > 9;
  } catch (...) {
    return 8;
  }
}

int main(int count, char **arguments) {
  if (count > 1)
    return fail(arguments[1]);
  for (const std::string kind : {"Strict", "Careful"}) {
    std::FILE *const child = popen((std::string(arguments[0]) + " " + kind + " 2>&1").c_str(), "r");
    CHECK(child != nullptr);
    std::string output;
    for (int c = std::fgetc(child); c != EOF; c = std::fgetc(child))
      output += static_cast<char>(c);
    const int status = pclose(child);
    std::printf("%s: %d\n%s\n", kind.c_str(), status, output.c_str());
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    CHECK(output.find("sinter") != std::string::npos && output.find(kind) != std::string::npos);
  }
  return pass();
}
