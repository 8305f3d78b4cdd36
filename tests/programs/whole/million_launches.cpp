// A million launches on one queue without a wait, in bounded memory.
// needs: a queue whose commands cost the same however many there are
#include <sycl/sycl.hpp>

#include <cstring>

#include "../check.hpp"

static long resident_kib() {
  std::FILE *status = std::fopen("/proc/self/status", "r");
  CHECK(status != nullptr);
  char line[256];
  long kib = -1;
  while (std::fgets(line, sizeof(line), status))
    if (std::strncmp(line, "VmRSS:", 6) == 0)
      kib = std::atol(line + 6);
  std::fclose(status);
  CHECK(kib > 0);
  return kib;
}

int main() {
  sycl::queue queue;
  unsigned *counter = sycl::malloc_shared<unsigned>(1, queue);
  *counter = 0;
  const auto kernel = [=] { *counter += 1; };
  for (int i = 0; i < 1000; ++i)
    queue.single_task(kernel);
  queue.wait();
  const long before = resident_kib();
  long most = before;
  for (int i = 0; i < 1000000; ++i) {
    queue.single_task(kernel);
    if (i % 100000 == 0 && resident_kib() > most)
      most = resident_kib();
  }
  if (resident_kib() > most)
    most = resident_kib();
  queue.wait();
  CHECK_EQUAL(*counter, 1001000);
  if (most - before > 64 * 1024) {
    std::printf("%ld KiB more than before\n", most - before);
    return 1;
  }
  sycl::free(counter, queue);
  return pass();
}
