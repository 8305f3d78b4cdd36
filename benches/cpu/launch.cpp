// The cost of launching an empty kernel, and of creating the first queue.
//
// `start` measures one first queue: run it in a new process each time. `launch` measures batches:
// "submit" stops the clock before it waits for the batch, "complete" waits after every launch.
// "separate" submits a kernel whose code depends on the allocations of its pointers, "exchanged"
// the same with two of its pointers exchanged in each launch.
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

struct arrays {
  float *out, *a, *b;
};

// Sums that are read again after each store, unless the pointers lead to different allocations.
void add(sycl::queue &queue, const arrays &arrays) {
  queue.single_task([=] {
    for (int k = 0; k < 4; k++)
      arrays.out[k] = arrays.a[0] * arrays.b[k] + arrays.a[1];
  });
}

void separate_batch(sycl::queue &queue, const arrays &arrays, std::size_t launches) {
  for (std::size_t i = 0; i < launches; i++)
    add(queue, arrays);
}

void exchanged_batch(sycl::queue &queue, arrays arrays, std::size_t launches) {
  for (std::size_t i = 0; i < launches; i++) {
    add(queue, arrays);
    std::swap(arrays.out, arrays.b);
  }
}

// Seconds for each launch of a batch.
template <class Batch> std::vector<double> measure(sycl::queue &queue, std::size_t batches, Batch batch) {
  std::vector<double> found;
  for (std::size_t i = 0; i < batches; i++) {
    found.push_back(bench::seconds(batch));
    queue.wait();
  }
  return found;
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
  arrays arrays{};
  for (float **array : {&arrays.out, &arrays.a, &arrays.b})
    *array = sycl::malloc_shared<float>(4, queue);
  exchanged_batch(queue, arrays, 2);
  queue.wait();
  const auto per_launch = [&](auto batch) {
    std::vector<double> found = measure(queue, batches, [&] { batch(queue, arrays, launches); });
    for (double &seconds : found)
      seconds /= double(launches);
    return found;
  };
  bench::emit("separate", "s", per_launch(separate_batch));
  bench::emit("exchanged", "s", per_launch(exchanged_batch));
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
