// Runs twelve kernels, or as many as the second argument says, and prints how many gave the right
// numbers, wrong ones or an error, and how many were compiled here. The first argument says which
// shortage the kernels meet once before that: none ("plain"), descriptors, or memory beyond as many
// KiB as the third argument says.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <sinter/sinter.h>

namespace {

constexpr int kernels = 12;
constexpr int items = 64;

struct Outcome {
  int right = 0, wrong = 0, errors = 0;
};

template <int N> void run(sycl::queue &queue, int *data, int count, Outcome &outcome) {
  if (N >= count)
    return;
  std::memset(data, 0, items * sizeof(int));
  try {
    queue.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) { data[i] = int(i) * (N + 3) + N; }).wait_and_throw();
  } catch (const std::exception &error) {
    std::printf("error: %s\n", error.what());
    ++outcome.errors;
    return;
  }
  bool is_right = true;
  for (int i = 0; i < items; ++i)
    is_right &= data[i] == i * (N + 3) + N;
  ++(is_right ? outcome.right : outcome.wrong);
}

template <int... N> Outcome run_all(sycl::queue &queue, int *data, int count, std::integer_sequence<int, N...>) {
  Outcome outcome;
  (run<N>(queue, data, count, outcome), ...);
  return outcome;
}

rlimit lowered(__rlimit_resource resource, rlim_t value) {
  rlimit before;
  getrlimit(resource, &before);
  const rlimit limit = {value, before.rlim_max};
  setrlimit(resource, &limit);
  return before;
}

std::vector<int> take_descriptors() {
  lowered(RLIMIT_NOFILE, 128);
  std::vector<int> taken;
  for (int fd; (fd = open("/dev/null", O_RDONLY)) >= 0;)
    taken.push_back(fd);
  return taken;
}

rlim_t address_space() {
  unsigned long pages = 0;
  if (std::FILE *file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%lu", &pages) != 1)
      pages = 0;
    std::fclose(file);
  }
  return rlim_t(pages) * sysconf(_SC_PAGESIZE);
}

unsigned long long translated() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof statistics;
  return sinter_get_statistics(&statistics) == SINTER_SUCCESS ? statistics.translated : ~0ull;
}

} // namespace

int main(int argc, char **arguments) {
  const std::string what = argc > 1 ? arguments[1] : "plain";
  const int count = argc > 2 ? std::atoi(arguments[2]) : kernels;
  const rlim_t room = argc > 3 ? rlim_t(std::atoll(arguments[3])) << 10 : 0;
  sycl::queue queue{sycl::cpu_selector_v};
  int *data = sycl::malloc_shared<int>(items, queue);
  const auto launch = [&] { return run_all(queue, data, count, std::make_integer_sequence<int, kernels>()); };
  if (what == "descriptors") {
    const auto taken = take_descriptors();
    std::printf("short: %d\n", launch().right);
    for (int fd : taken)
      close(fd);
  } else if (what == "memory") {
    const rlimit before = lowered(RLIMIT_AS, address_space() + room);
    const Outcome outcome = launch();
    setrlimit(RLIMIT_AS, &before);
    std::printf("short: %d\nshort wrong: %d\n", outcome.right, outcome.wrong);
  }
  const Outcome outcome = launch();
  std::printf("right: %d\nwrong: %d\nerrors: %d\ntranslated: %llu\n", outcome.right, outcome.wrong, outcome.errors,
              translated());
  std::fflush(stdout);
  sycl::free(data, queue);
}
