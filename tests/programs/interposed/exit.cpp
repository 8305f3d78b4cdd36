// Threads that call algorithms while the process exits.
// options: --stdpar -pthread
// devices: host
// memory: auto shared
#include <chrono>
#include <thread>

#include <unistd.h>

#include "where.hpp"

// Its destructor is one of the last functions of the process, and runs beside the threads.
static struct Late {
  ~Late() {
    std::vector<int> numbers(5000, 1);
    if (std::reduce(std::execution::par_unseq, numbers.begin(), numbers.end(), 0L) != 5000)
      _exit(3);
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
} late;

int main() {
  for (int number = 0; number < 3; ++number)
    std::thread([] {
      std::vector<int> numbers(1000, 1);
      for (;;)
        if (std::reduce(std::execution::par_unseq, numbers.begin(), numbers.end(), 0L) != 1000)
          _exit(4);
    }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return pass();
}
