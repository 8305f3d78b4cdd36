// Events, barriers, waits and times of commands that overlap, and their order with USM commands.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <optional>
#include <vector>

constexpr int count = 1 << 14, parts = 8;

static bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
}

static sycl::event work(sycl::queue &queue, sycl::buffer<float> &buffer, int part) {
  return queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::range<1>(count), sycl::id<1>(part * count), sycl::write_only);
    handler.parallel_for(count, [=](sycl::id<1> i) {
      float value = static_cast<float>(part);
      for (int round = 0; round < 200; ++round)
        value = value * 0.5f + static_cast<float>(part) * 0.5f;
      elements[i] = value;
    });
  });
}

static void events(sycl::queue &queue) {
  sycl::buffer<float> buffer{sycl::range<1>(count * parts)};
  std::vector<sycl::event> all;
  for (int part = 0; part < parts; ++part)
    all.push_back(work(queue, buffer, part));
  sycl::event barrier = queue.ext_oneapi_submit_barrier();
  barrier.wait();
  for (const sycl::event &event : all)
    CHECK(is_complete(event));
  for (int part = 0; part < parts; ++part)
    all.push_back(work(queue, buffer, part));
  CHECK(all[0] != all[1] && all[parts] != all[0]);
  queue.wait();
  for (const sycl::event &event : all)
    CHECK(is_complete(event));
}

// USM commands follow the events that they depend on, whatever queue ran these.
static void dependencies(sycl::queue &queue) {
  int *const memory = sycl::malloc_shared<int>(count, queue);
  sycl::buffer<int> one{sycl::range<1>(count)}, other{sycl::range<1>(count)};
  for (int round = 0; round < 20; ++round) {
    std::vector<sycl::event> all;
    for (sycl::buffer<int> *buffer : {&one, &other})
      all.push_back(queue.submit([&](sycl::handler &handler) {
        sycl::accessor elements(*buffer, handler, sycl::write_only, sycl::no_init);
        const int first = buffer == &one ? 0 : count / 2;
        handler.parallel_for(count / 2, [=](sycl::id<1> i) { memory[first + i[0]] = elements[i] = round; });
      }));
    const sycl::event checked = queue.parallel_for(sycl::range<1>(count), all, [=](sycl::id<1> i) { memory[i] += 1; });
    queue.submit([&](sycl::handler &handler) {
      handler.depends_on(checked);
      sycl::accessor elements(one, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(count, [=](sycl::id<1> i) { elements[i] = memory[i]; });
    });
    const sycl::host_accessor elements(one, sycl::read_only);
    CHECK_EQUAL(elements[0], round + 1);
    CHECK_EQUAL(elements[count - 1], round + 1);
  }
  queue.wait();
  sycl::free(memory, queue);
}

static void times() {
  sycl::queue queue{sycl::property::queue::enable_profiling()};
  sycl::buffer<float> buffer{sycl::range<1>(count * parts)};
  std::vector<sycl::event> all;
  for (int part = 0; part < parts; ++part)
    all.push_back(work(queue, buffer, part));
  for (const sycl::event &event : all) {
    const auto start = event.get_profiling_info<sycl::info::event_profiling::command_start>();
    const auto end = event.get_profiling_info<sycl::info::event_profiling::command_end>();
    CHECK(event.get_profiling_info<sycl::info::event_profiling::command_submit>() <= start && start <= end);
  }
}

// In an in-order queue USM commands and accessors follow each other, also after one that waits for
// a host accessor.
static void in_order() {
  sycl::queue queue{sycl::property::queue::in_order()};
  int *const memory = sycl::malloc_shared<int>(1, queue);
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  queue.memset(memory, 0, sizeof(int));
  for (int round = 0; round < 50; ++round) {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor element(buffer, handler, sycl::write_only, sycl::no_init);
      handler.single_task([=] { element[0] = ++*memory; });
    });
    queue.single_task([=] { *memory *= 2; });
    if (round % 10 == 9)
      queue.memset(memory, 0, sizeof(int));
  }
  CHECK_EQUAL(sycl::host_accessor(buffer)[0], 1023);
  {
    std::optional<sycl::host_accessor<int>> held(std::in_place, buffer);
    (*held)[0] = 5;
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor element(buffer, handler);
      handler.single_task([=] { *memory = element[0]; });
    });
    held.reset();
  }
  queue.single_task([=] { *memory += 1; });
  queue.wait();
  CHECK_EQUAL(*memory, 6);
  sycl::free(memory, queue);
}

int main() {
  sycl::queue queue;
  events(queue);
  dependencies(queue);
  if (queue.get_device().has(sycl::aspect::queue_profiling))
    times();
  in_order();
  std::puts("PASS");
}
