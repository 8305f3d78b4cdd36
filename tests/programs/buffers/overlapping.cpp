// Commands whose own accessors overlap, and commands behind a host accessor of the same thread.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

constexpr std::size_t rows = 12, columns = 16;

// The newest bytes of every element are found after accessors of one command have overlapped.
static void rows_in_common(sycl::queue queue) {
  sycl::buffer<int, 2> values(sycl::range<2>(rows, columns));
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(values, group, sycl::write_only, sycl::no_init);
    group.parallel_for(values.get_range(), [=](sycl::id<2> i) { out[i] = int(i[0]); });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor upper(values, group, sycl::range<2>(8, columns));
    sycl::accessor lower(values, group, sycl::range<2>(8, columns), sycl::id<2>(4, 0));
    group.parallel_for(sycl::range<2>(4, columns), [=](sycl::id<2> i) {
      upper[i] += 100;
      lower[i + sycl::id<2>(4, 0)] += 200;
    });
  });
  {
    sycl::host_accessor upper(values, sycl::range<2>(8, columns));
    for (std::size_t row = 4; row < 8; ++row)
      upper[row][3] = -int(row);
  }
  const sycl::host_accessor lower(values, sycl::range<2>(8, columns), sycl::id<2>(4, 0));
  for (std::size_t row = 4; row < 8; ++row)
    CHECK_EQUAL((lower[{row - 4, 3}]), -int(row));
  for (std::size_t row = 8; row < rows; ++row)
    CHECK_EQUAL((lower[{row - 4, 3}]), int(row) + 200);
}

// Many cells: readers of one command are all known, so that a later write waits for them.
static void many_readers(sycl::queue queue) {
  sycl::buffer<int> values(64);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t start = 0; start < 64; start += 2)
      queue.submit([&](sycl::handler &group) {
        sycl::accessor out(values, group, sycl::range<1>(2), sycl::id<1>(start), sycl::write_only, sycl::no_init);
        group.parallel_for(sycl::range<1>(2), [=](sycl::id<1> i) { out[i] = int(start + i[0]) + round; });
      });
    int *const sum = sycl::malloc_shared<int>(1, queue);
    queue.submit([&](sycl::handler &group) {
      sycl::accessor first(values, group, sycl::range<1>(33), sycl::read_only);
      sycl::accessor second(values, group, sycl::range<1>(33), sycl::id<1>(31), sycl::read_only);
      group.single_task([=] {
        *sum = 0;
        for (int i = 0; i < 33; ++i)
          *sum += first[i] + second[i];
      });
    });
    queue.submit([&](sycl::handler &group) {
      sycl::accessor out(values, group, sycl::write_only, sycl::no_init);
      group.parallel_for(values.get_range(), [=](sycl::id<1> i) { out[i] = 0; });
    });
    queue.wait();
    CHECK_EQUAL(*sum, 33 * 32 / 2 + 33 * 31 + 33 * 32 / 2 + 66 * round);
    sycl::free(sum, queue);
  }
}

// A command that waits for a host accessor does not keep its thread from going on.
static void behind_a_host_accessor() {
  sycl::queue queue{sycl::property::queue::in_order()};
  sycl::buffer<int> value(1);
  int *const copy = sycl::malloc_shared<int>(2, queue);
  copy[0] = 5, copy[1] = 0;
  std::optional<sycl::host_accessor<int, 1>> held(value);
  const sycl::event kernel = queue.submit([&](sycl::handler &group) {
    sycl::accessor both(value, group);
    group.single_task([=] { both[0] += 1; });
  });
  queue.memcpy(copy + 1, copy, sizeof *copy);
  queue.submit([&](sycl::handler &group) {
    group.depends_on(kernel);
    group.host_task([=] { copy[0] = 6; });
  });
  CHECK_EQUAL(copy[1], 0);
  (*held)[0] = 41;
  held.reset();
  queue.wait();
  CHECK_EQUAL(copy[0], 6);
  CHECK_EQUAL(copy[1], 5);
  CHECK_EQUAL(sycl::host_accessor(value)[0], 42);
  sycl::free(copy, queue);
}

// A barrier waits for a host task with an accessor of an out-of-order queue.
static void barrier() {
  sycl::queue queue;
  sycl::buffer<int> value(1);
  for (int i = 0; i < 20; ++i) {
    int seen = 0;
    queue.submit([&](sycl::handler &group) {
      sycl::accessor out(value, group, sycl::write_only_host_task);
      group.host_task([=, &seen] {
        out[0] = i;
        seen = 1;
      });
    });
    queue.ext_oneapi_submit_barrier().wait();
    CHECK_EQUAL(seen, 1);
  }
}

// Commands after a barrier wait for it, also if their buffers are others.
static void after_barrier() {
  sycl::queue queue;
  sycl::buffer<int> first(1), second(1);
  int *const seen = sycl::malloc_shared<int>(1, queue);
  for (int i = 1; i < 10; ++i) {
    queue.submit([&](sycl::handler &group) {
      sycl::accessor out(first, group, sycl::write_only_host_task);
      group.host_task([=] {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        *seen = out[0] = i;
      });
    });
    const sycl::event barrier = queue.ext_oneapi_submit_barrier();
    queue.submit([&](sycl::handler &group) {
      sycl::accessor out(second, group);
      group.single_task([=] { out[0] = *seen; });
    });
    CHECK_EQUAL(sycl::host_accessor(second)[0], i);
  }
  sycl::free(seen, queue);
}

// A command that waits for a host accessor keeps what it uses when its queue is gone.
static void outlives_queue() {
  sycl::buffer<int> values(64);
  int total = 0;
  sycl::buffer<int> sum(&total, sycl::range<1>(1));
  std::optional<sycl::host_accessor<int, 1>> held(values);
  std::weak_ptr<int[]> copy;
  {
    sycl::queue queue;
    std::shared_ptr<int[]> memory(new int[64]());
    copy = memory;
    queue.submit([&](sycl::handler &group) {
      sycl::accessor from(values, group, sycl::read_only);
      group.copy(from, memory);
    });
    queue.submit([&](sycl::handler &group) {
      sycl::accessor in(values, group, sycl::read_only);
      group.parallel_for(sycl::range<1>(64), sycl::reduction(sum, group, sycl::plus<>()),
                         [=](sycl::id<1> i, auto &out) { out += in[i]; });
    });
    memory.reset();
  }
  const std::shared_ptr<int[]> kept = copy.lock();
  CHECK(kept != nullptr);
  for (int i = 0; i < 64; ++i)
    (*held)[i] = i;
  held.reset();
  CHECK_EQUAL(sycl::host_accessor(sum)[0], 64 * 63 / 2);
  {
    // Its write waits for the copy.
    sycl::host_accessor all(values);
    CHECK_EQUAL(all[63], 63);
  }
  CHECK_EQUAL(kept.get()[63], 63);
}

int main() {
  rows_in_common(sycl::queue{});
  many_readers(sycl::queue{});
  behind_a_host_accessor();
  barrier();
  after_barrier();
  outlives_queue();
  return pass();
}
