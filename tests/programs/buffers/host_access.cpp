// Host accessors see what earlier commands wrote, and later commands wait for their end.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <chrono>
#include <optional>
#include <thread>
#include <vector>

constexpr int count = 1000;

static sycl::event add(sycl::queue &queue, sycl::buffer<int> &buffer, int value) {
  return queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler);
    handler.parallel_for(count, [=](sycl::id<1> i) { elements[i] += value; });
  });
}

static bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
}

static void turns(sycl::queue &queue) {
  std::vector<int> memory(count, 0);
  sycl::buffer<int> buffer(memory);
  for (int round = 0; round < 10; ++round) {
    add(queue, buffer, 1);
    sycl::host_accessor elements(buffer);
    for (int i = 0; i < count; ++i) {
      CHECK_EQUAL(elements[i], 3 * round + 1);
      elements[i] += 2;
    }
  }
}

// The command is submitted while the accessor lives, by the thread that will destroy it.
static void blocked(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  std::optional<sycl::host_accessor<int>> elements(std::in_place, buffer);
  for (int &element : *elements)
    element = 1;
  const sycl::event first = add(queue, buffer, 5);
  sycl::event second = add(queue, buffer, 6);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  CHECK(!is_complete(first) && !is_complete(second));
  for (int &element : *elements) {
    CHECK_EQUAL(element, 1);
    element = 100;
  }
  sycl::host_accessor<int> copy = *elements;
  elements.reset();
  CHECK(!is_complete(first));
  copy = {};
  second.wait();
  CHECK(is_complete(first));
  const sycl::host_accessor after(buffer, sycl::read_only);
  CHECK_EQUAL(after[count - 1], 111);
}

// Readers do not wait for a host accessor that only reads; commands on other parts do not either.
static void beside(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)}, sum{sycl::range<1>(1)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::write_only, sycl::no_init);
    handler.fill(elements, 3);
  });
  const sycl::host_accessor all(buffer, sycl::read_only);
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::read_only);
    sycl::accessor result(sum, handler, sycl::write_only, sycl::no_init);
    handler.single_task([=] { result[0] = elements[0] + elements[count - 1]; });
  });
  queue.wait();
  CHECK_EQUAL(sycl::host_accessor(sum, sycl::read_only)[0], 6);
}

static void disjoint(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  sycl::host_accessor low(buffer, sycl::range<1>(count / 2), sycl::write_only);
  queue
      .submit([&](sycl::handler &handler) {
        sycl::accessor high(buffer, handler, sycl::range<1>(count / 2), sycl::id<1>(count / 2), sycl::write_only);
        handler.parallel_for(count / 2, [=](sycl::id<1> i) { high[i] = 7; });
      })
      .wait();
  low[0] = 8;
  const sycl::host_accessor high(buffer, sycl::range<1>(1), sycl::id<1>(count - 1), sycl::read_only);
  CHECK_EQUAL(high[0], 7);
}

static void other_thread(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  std::optional<sycl::host_accessor<int>> elements(std::in_place, buffer, sycl::no_init);
  for (int &element : *elements)
    element = 1;
  std::thread waiter([&] {
    add(queue, buffer, 1);
    const sycl::host_accessor after(buffer, sycl::read_only);
    CHECK_EQUAL(after[count / 2], 3);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  for (int &element : *elements)
    element = 2;
  elements.reset();
  waiter.join();
}

// Two accessors of one thread to one buffer.
static void twice(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  sycl::event event;
  {
    sycl::host_accessor writes(buffer, sycl::write_only, sycl::no_init);
    writes[3] = 4;
    const sycl::host_accessor reads(buffer, sycl::read_only);
    CHECK_EQUAL(reads[3], 4);
    event = add(queue, buffer, 1);
    CHECK(!is_complete(event));
  }
  event.wait();
}

int main() {
  for (const bool in_order : {false, true}) {
    sycl::queue queue = in_order ? sycl::queue(sycl::property::queue::in_order()) : sycl::queue();
    turns(queue);
    blocked(queue);
    beside(queue);
    disjoint(queue);
    other_thread(queue);
    twice(queue);
  }
  std::puts("PASS");
}
