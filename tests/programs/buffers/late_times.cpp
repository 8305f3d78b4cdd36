// Times of commands that waited for the program: a host accessor, or a host task.
#include <sycl/sycl.hpp>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "../check.hpp"

constexpr std::size_t count = 256;
using submit_time = sycl::info::event_profiling::command_submit;
using start_time = sycl::info::event_profiling::command_start;
using end_time = sycl::info::event_profiling::command_end;

static sycl::event add(sycl::queue &queue, sycl::buffer<int> &buffer) {
  return queue.submit([&](sycl::handler &group) {
    const sycl::accessor all(buffer, group);
    group.parallel_for(count, [=](sycl::id<1> i) { all[i] += 1; });
  });
}

static void sleep() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
constexpr unsigned long pause = 20000000; // nanoseconds

static void check(const sycl::event &event) {
  CHECK(event.get_profiling_info<submit_time>() <= event.get_profiling_info<start_time>());
  CHECK(event.get_profiling_info<start_time>() <= event.get_profiling_info<end_time>());
}

// The kernel starts when the accessor is gone.
static void behind_an_accessor(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  std::optional<sycl::host_accessor<int>> all(std::in_place, buffer);
  const sycl::event first = add(queue, buffer), second = add(queue, buffer);
  sleep();
  all.reset();
  check(first);
  check(second);
  CHECK(first.get_profiling_info<submit_time>() + pause <= first.get_profiling_info<start_time>());
  CHECK(first.get_profiling_info<end_time>() <= second.get_profiling_info<start_time>());
  CHECK(second.get_profiling_info<submit_time>() < first.get_profiling_info<start_time>());
  const sycl::event third = add(queue, buffer);
  check(third);
  CHECK(second.get_profiling_info<end_time>() <= third.get_profiling_info<start_time>());
  // Still known.
  check(first);
}

// The times of a host task with an accessor are those of the function.
static void host_task(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  const sycl::event before = add(queue, buffer);
  const sycl::event task = queue.submit([&](sycl::handler &group) {
    const sycl::accessor all(buffer, group, sycl::read_write_host_task);
    group.host_task([=] {
      sleep();
      all[0] = 1;
    });
  });
  const sycl::event after = add(queue, buffer);
  check(before);
  check(task);
  check(after);
  CHECK(task.get_profiling_info<start_time>() + pause <= task.get_profiling_info<end_time>());
  CHECK(before.get_profiling_info<end_time>() <= task.get_profiling_info<start_time>());
  CHECK(task.get_profiling_info<end_time>() <= after.get_profiling_info<start_time>());
  CHECK(after.get_profiling_info<submit_time>() < task.get_profiling_info<end_time>());
}

int main() {
  sycl::queue out_of_order{sycl::property::queue::enable_profiling()};
  sycl::queue in_order{sycl::property_list{sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()}};
  for (sycl::queue *queue : {&out_of_order, &in_order}) {
    behind_an_accessor(*queue);
    host_task(*queue);
  }
  return pass();
}
