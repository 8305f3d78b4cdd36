// Exceptions that leave a callable: std::terminate, with its handler.
// options: --stdpar
// devices: host
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <functional>
#include <numeric>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

#include "offloaded.hpp"

struct Shape {
  virtual ~Shape() = default;
  virtual int area(int x) const = 0;
};
struct Picky : Shape {
  int worst;
  explicit Picky(int worst) : worst(worst) {}
  int area(int x) const override;
};
__attribute__((noinline)) int Picky::area(int x) const {
  if (x == worst)
    throw std::runtime_error("a bad shape");
  return 2 * x;
}
// Has a handler of its own.
struct Patient : Picky {
  using Picky::Picky;
  int area(int x) const override;
};
__attribute__((noinline)) int Patient::area(int x) const {
  try {
    return Picky::area(x);
  } catch (const std::exception &) {
    return -1;
  }
}
__attribute__((noinline)) static int rethrow(int x) {
  try {
    if (x == 4000)
      throw x;
  } catch (int) {
    throw;
  }
  return x;
}

// Runs `work` in a child process. Returns 7 if std::terminate has called its handler there for an
// exception, and 8 if there was none.
template <class Work> int end_of(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    std::set_terminate([] {
      const bool is_thrown = std::current_exception() != nullptr;
      _exit(is_thrown ? 7 : 8);
    });
    try {
      work();
    } catch (...) {
      _exit(9);
    }
    _exit(0);
  }
  int status = -1;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

template <class Policy> void test(Policy policy) {
  std::vector<int> numbers(5000);
  std::iota(numbers.begin(), numbers.end(), 0);
  // The first element, one in the middle, the last, and none.
  for (const int worst : {0, 777, 4999, -1}) {
    const Picky picky(worst);
    const Shape *const shape = &picky;
    std::vector<int> out = numbers;
    const auto loop = [&] {
      std::for_each(policy, out.begin(), out.end(), [shape](int &x) { x = shape->area(x); });
    };
    CHECK(end_of([&] { on_device([&] { return loop(), 0; }); }) == (worst < 0 ? 0 : 7));
    const auto sum = [&] {
      return std::transform_reduce(policy, numbers.begin(), numbers.end(), 0L, std::plus<>(),
                                   [shape](int x) noexcept { return long(shape->area(x)); });
    };
    CHECK(end_of([&] { on_device(sum); }) == (worst < 0 ? 0 : 7));
  }
  int (*const function)(int) = rethrow;
  CHECK(end_of([&] {
          on_device([&] {
            return std::transform(policy, numbers.begin(), numbers.end(), numbers.begin(),
                                  [function](int x) { return function(x); });
          });
        }) == 7);
  // One that throws itself makes no object of it.
  CHECK(end_of([&] {
          std::for_each(policy, numbers.begin(), numbers.end(), [](int x) {
            if (x == 3)
              throw 3;
          });
        }) == 8);
}

int main() {
  test(std::execution::par_unseq);
  test(std::execution::par);
  // An exception that is caught inside changes nothing.
  const Patient patient(777);
  const Shape *const shape = &patient;
  std::vector<int> numbers(5000), out(5000);
  std::iota(numbers.begin(), numbers.end(), 0);
  on_device([&] {
    return std::transform(std::execution::par, numbers.begin(), numbers.end(), out.begin(),
                          [shape](int x) { return shape->area(x); });
  });
  for (int i = 0; i < 5000; ++i)
    CHECK(out[i] == (i == 777 ? -1 : 2 * i));
  return pass();
}
