// Peer of cpu/launch.cpp: an empty OpenMP parallel region, and the first one of a process.
#include "report.hpp"

namespace {

void region() {
  // The empty assembly statement keeps the compiler from deleting the region.
#pragma omp parallel
  asm volatile("" ::: "memory");
}

int launch(std::size_t batches, std::size_t launches) {
  region();
  std::vector<double> complete;
  for (std::size_t i = 0; i < batches; i++)
    complete.push_back(bench::seconds([&] {
                         for (std::size_t j = 0; j < launches; j++)
                           region();
                       }) /
                       double(launches));
  bench::emit("complete", "s", complete);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "start") == 0) {
    bench::emit("start", "s", {bench::seconds(region)});
    return 0;
  }
  if (argc == 4 && std::strcmp(argv[1], "launch") == 0)
    return launch(bench::positive(argv[2], "BATCHES"), bench::positive(argv[3], "LAUNCHES"));
  std::fprintf(stderr, "usage: %s start | launch BATCHES LAUNCHES\n", argv[0]);
  return 2;
}
