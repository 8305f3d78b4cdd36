// The cost of accessors: chains of ten dependent kernels through accessors of an out-of-order
// queue, beside the same through USM in an in-order queue, and one launch whose data is resident.
//
// Both queues and both kernels are of one process, which takes them by turns.
#include "counters.hpp"
#include "report.hpp"

#include <sycl/sycl.hpp>

namespace {

constexpr std::size_t chain = 10;

struct both_queues {
  sycl::queue ordered{sycl::property::queue::in_order()};
  sycl::queue free;
  std::size_t count;
  float *memory = sycl::malloc_device<float>(count, ordered);
  sycl::buffer<float> elements{sycl::range<1>(count)};

  explicit both_queues(std::size_t items) : count(items) {
    ordered.fill(memory, 1.0f, count).wait();
    sycl::host_accessor all(elements);
    for (float &one : all)
      one = 1.0f;
  }
  both_queues(const both_queues &) = delete;
  both_queues &operator=(const both_queues &) = delete;
  ~both_queues() { sycl::free(memory, ordered); }

  void add_by_pointer() {
    ordered.parallel_for(count, [=, memory = memory](sycl::id<1> i) { memory[i] += 1.0f; });
  }
  void add_by_accessor() {
    free.submit([&](sycl::handler &group) {
      const sycl::accessor all(elements, group);
      group.parallel_for(count, [=](sycl::id<1> i) { all[i] += 1.0f; });
    });
  }
  void pointers(std::size_t launches) {
    for (std::size_t i = 0; i < launches; i++)
      add_by_pointer();
    ordered.wait();
  }
  void accessors(std::size_t launches) {
    for (std::size_t i = 0; i < launches; i++)
      add_by_accessor();
    free.wait();
  }
};

int measure(std::size_t items, std::size_t batches, std::size_t launches) {
  both_queues queues(items);
  queues.pointers(chain);
  queues.accessors(chain);
  const auto before = bench::counters().translated;
  const auto repeat = [&](void (both_queues::*run)(std::size_t), std::size_t length) {
    return bench::seconds([&] {
             for (std::size_t i = 0; i < launches; i++)
               (queues.*run)(length);
           }) /
           double(launches);
  };
  std::vector<double> pointers, accessors, one_pointer, one_accessor;
  for (std::size_t i = 0; i < batches; i++) {
    pointers.push_back(repeat(&both_queues::pointers, chain));
    accessors.push_back(repeat(&both_queues::accessors, chain));
    one_pointer.push_back(repeat(&both_queues::pointers, 1));
    one_accessor.push_back(repeat(&both_queues::accessors, 1));
  }
  bench::emit("translated", "kernels", {double(bench::counters().translated - before)});
  bench::emit("pointers", "s", pointers);
  bench::emit("accessors", "s", accessors);
  bench::emit("one_pointer", "s", one_pointer);
  bench::emit("one_accessor", "s", one_accessor);
  return 0;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4)
    return measure(bench::positive(argv[1], "ITEMS"), bench::positive(argv[2], "BATCHES"),
                   bench::positive(argv[3], "LAUNCHES"));
  std::fprintf(stderr, "usage: %s ITEMS BATCHES LAUNCHES\n", argv[0]);
  return 2;
}
