// The cost of launching an empty kernel, and of creating the first queue.
//
// `start` measures one first queue: run it in a new process each time. `launch` measures batches:
// "submit" stops the clock before it waits for the batch, "complete" waits after every launch.
#include "counters.hpp"
#include "report.hpp"

#include <sycl/sycl.hpp>

namespace {

sycl::queue make_queue() { return sycl::queue(sycl::cpu_selector_v, sycl::property::queue::in_order()); }

int start() {
  const double begin = bench::now();
  const sycl::queue queue = make_queue();
  bench::emit("start", "s", {bench::now() - begin});
  return 0;
}

void submit_batch(sycl::queue &queue, std::size_t launches) {
  for (std::size_t i = 0; i < launches; i++)
    queue.single_task([] {});
}

void complete_batch(sycl::queue &queue, std::size_t launches) {
  for (std::size_t i = 0; i < launches; i++) {
    queue.single_task([] {});
    queue.wait();
  }
}

int launch(std::size_t batches, std::size_t launches) {
  sycl::queue queue = make_queue();
  submit_batch(queue, 1);
  complete_batch(queue, 1);
  const auto before = bench::counters().translated;
  std::vector<double> submit, complete;
  for (std::size_t i = 0; i < batches; i++) {
    submit.push_back(bench::seconds([&] { submit_batch(queue, launches); }) / double(launches));
    queue.wait();
    complete.push_back(bench::seconds([&] { complete_batch(queue, launches); }) / double(launches));
  }
  bench::emit("translated", "kernels", {double(bench::counters().translated - before)});
  bench::emit("submit", "s", submit);
  bench::emit("complete", "s", complete);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "start") == 0)
    return start();
  if (argc == 4 && std::strcmp(argv[1], "launch") == 0)
    return launch(bench::positive(argv[2], "BATCHES"), bench::positive(argv[3], "LAUNCHES"));
  std::fprintf(stderr, "usage: %s start | launch BATCHES LAUNCHES\n", argv[0]);
  return 2;
}
