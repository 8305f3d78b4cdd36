// Buffers outlive their queues, and accessors and commands the objects that they were made from.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <memory>
#include <vector>

constexpr int count = 256;

static void set(sycl::queue queue, sycl::buffer<int> buffer, int value) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(count, [=](sycl::id<1> i) { elements[i] = value; });
  });
}

static void outlives_queues() {
  std::vector<int> memory(count);
  {
    sycl::buffer<int> buffer(memory);
    for (int round = 0; round < 20; ++round) {
      sycl::queue queue;
      set(queue, buffer, round);
    }
    CHECK_EQUAL(sycl::host_accessor(buffer, sycl::read_only)[0], 19);
    set(sycl::queue(), buffer, 50);
  }
  CHECK_EQUAL(memory[count - 1], 50);
}

static void many() {
  sycl::queue queue;
  std::vector<sycl::buffer<int>> buffers;
  for (int i = 0; i < 300; ++i) {
    buffers.emplace_back(sycl::range<1>(count));
    set(queue, buffers.back(), i);
  }
  for (int i = 0; i < 300; i += 7)
    CHECK_EQUAL(sycl::host_accessor(buffers[i], sycl::read_only)[9], i);
  // Memory of destroyed buffers is used again, while the commands of these may still run.
  for (int i = 0; i < 2000; ++i) {
    sycl::buffer<int> temporary{sycl::range<1>(count)};
    set(queue, temporary, i);
    if (i % 100 == 0)
      CHECK_EQUAL(sycl::host_accessor(temporary, sycl::read_only)[9], i);
  }
  // In one command group.
  queue.submit([&](sycl::handler &handler) {
    std::vector<sycl::accessor<int, 1, sycl::access_mode::write>> all;
    for (int i = 0; i < 300; ++i)
      all.emplace_back(buffers[i], handler);
    const auto first = all.front(), last = all.back();
    handler.single_task([=] { first[0] = last[0] = -1; });
  });
  CHECK_EQUAL(sycl::host_accessor(buffers[299], sycl::read_only)[0], -1);
}

static void outlives_buffers() {
  sycl::queue queue;
  std::unique_ptr<sycl::host_accessor<int>> elements;
  std::unique_ptr<sycl::buffer<int>> part;
  {
    sycl::buffer<int> buffer{sycl::range<1>(count)};
    set(queue, buffer, 4);
    part = std::make_unique<sycl::buffer<int>>(buffer, sycl::id<1>(8), sycl::range<1>(8));
    elements = std::make_unique<sycl::host_accessor<int>>(buffer);
  }
  CHECK_EQUAL((*elements)[17], 4);
  (*elements)[10] = 5;
  elements.reset();
  CHECK_EQUAL(sycl::host_accessor(*part)[2], 5);
}

// A command group that throws changes nothing.
static void throwing() {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  set(queue, buffer, 1);
  bool caught = false;
  try {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffer, handler);
      handler.parallel_for(count, [=](sycl::id<1> i) { elements[i] = 2; });
      throw 3;
    });
  } catch (int) {
    caught = true;
  }
  CHECK(caught);
  CHECK_EQUAL(sycl::host_accessor(buffer, sycl::read_only)[7], 1);
  // The device refuses the command; the buffer stays usable.
  try {
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffer, handler);
      handler.parallel_for(sycl::nd_range<1>(count, 100), [=](sycl::nd_item<1> i) { elements[i.get_global_id()] = 2; });
    });
    caught = false;
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::nd_range);
  }
  CHECK(caught);
  CHECK_EQUAL(sycl::host_accessor(buffer, sycl::read_only)[7], 1);
  queue.wait_and_throw();
}

int main() {
  outlives_queues();
  many();
  outlives_buffers();
  throwing();
  std::puts("PASS");
}
