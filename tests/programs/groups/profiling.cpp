// Profiling times: ordered within a command, and from one command to the next.
// levels: 2
#include "shapes.hpp"

namespace {

struct times {
  explicit times(const sycl::event &event)
      : submit(event.get_profiling_info<sycl::info::event_profiling::command_submit>()),
        start(event.get_profiling_info<sycl::info::event_profiling::command_start>()),
        end(event.get_profiling_info<sycl::info::event_profiling::command_end>()) {
    CHECK(submit > 0 && submit <= start && start <= end);
  }
  std::uint64_t submit, start, end;
};

void check_times(sycl::queue &queue) {
  constexpr int count = 1 << 20;
  shared_array<float> memory(queue, count);
  const sycl::event first = queue.fill(memory.get(), 1.0f, count);
  const sycl::event second = queue.parallel_for(count, [p = memory.get()](int i) {
    float x = p[i];
    for (int k = 0; k < 50; ++k)
      x = x * 1.5f + static_cast<float>(i % 3);
    p[i] = x;
  });
  const sycl::event third = queue.memcpy(memory.get(), memory.get() + count / 2, count / 2 * sizeof(float));
  const times a(first), b(second), c(third);
  CHECK(a.submit <= b.submit && b.submit <= c.submit && a.end <= b.end && b.end <= c.end && a.start <= b.start);
  CHECK(b.end > b.start);
  CHECK(second.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
  queue.wait();
}

// Commands without work, first and after a long one: each has its own times, in order.
void check_idle(sycl::queue &queue) {
  shared_array<int> memory(queue, 4);
  int *p = memory.get();
  std::uint64_t last = times(queue.prefetch(p, 4)).submit;
  const auto follows = [&](const sycl::event &event) {
    const times now(event);
    CHECK(now.submit > last && now.start == now.end);
    last = now.submit;
    return now;
  };
  follows(queue.ext_oneapi_submit_barrier());
  const sycl::event work = queue.parallel_for(1 << 20, [=](int i) { p[i % 4] = 1; });
  const sycl::event idle[] = {queue.memset(p, 0, 0),
                              queue.memcpy(p, p, 0),
                              queue.parallel_for(0, [=](int i) { p[i] = 2; }),
                              queue.submit([&](sycl::handler &h) { h.parallel_for(0, [=](int i) { p[i] = 3; }); }),
                              queue.fill(p, 7, 0),
                              queue.ext_oneapi_submit_barrier(),
                              queue.ext_oneapi_submit_barrier({work})};
  const times busy(work);
  last = busy.submit;
  for (const sycl::event &one : idle)
    CHECK(follows(one).end >= busy.end);
  const times later(queue.single_task([=] { p[0] = 4; }));
  CHECK(later.submit > last);
}

void check_refused(const sycl::event &event) {
  try {
    event.get_profiling_info<sycl::info::event_profiling::command_end>();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
  }
}

} // namespace

int main() {
  sycl::queue timed{sycl::property_list{sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()}};
  CHECK(timed.get_device().has(sycl::aspect::queue_profiling));
  CHECK(timed.has_property<sycl::property::queue::enable_profiling>());
  check_idle(timed);
  check_times(timed);
  sycl::queue plain;
  check_refused(plain.single_task([] {}));
  check_refused(sycl::event());
  plain.wait();
  return pass();
}
