// Failures of the device, as the argument says: none of memory for intermediate results, or of
// launches. Groups share a part of the range, so that the memory is the runtime's.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <execution>
#include <new>
#include <numeric>
#include <vector>

#include <unistd.h>

#include <sinter/stdpar.h>

static sinter_status of_scratch = SINTER_SUCCESS;

// Stands in front of the runtime's.
extern "C" sinter_status sinter_stdpar_scratch(std::size_t, std::int32_t, void **) {
  // The message of an error is that of the last call that failed.
  if (of_scratch != SINTER_ERROR_OUT_OF_MEMORY)
    sinter_stdpar_set_device(4321);
  return of_scratch;
}

int main(int count, char **arguments) {
  if (count != 2)
    return 2;
  std::set_terminate([] { _exit(7); });
  of_scratch = std::strcmp(arguments[1], "memory") == 0 ? SINTER_ERROR_OUT_OF_MEMORY : SINTER_ERROR_DRIVER;
  std::vector<int> numbers(100000, 1);
  std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), [](int &x) { x += 1; });
  try {
    const long sum = std::reduce(std::execution::par_unseq, numbers.begin(), numbers.end(), 0L);
    std::printf("no exception, sum %ld\n", sum);
    return 1;
  } catch (const std::bad_alloc &) {
    of_scratch = SINTER_SUCCESS;
  }
  // The program goes on.
  std::for_each(std::execution::par_unseq, numbers.begin(), numbers.end(), [](int &x) { x += 1; });
  if (std::accumulate(numbers.begin(), numbers.end(), 0L) != 300000)
    return 3;
  std::puts("PASS");
  return 0;
}
