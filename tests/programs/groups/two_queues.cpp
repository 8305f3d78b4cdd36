// Chains of dependencies between queues, and barriers.
// levels: 2
#include "shapes.hpp"

namespace {

constexpr int count = 1 << 16;

// Every command reads the result of the previous one, on the other queue.
void check_chain(sycl::queue &a, sycl::queue &b) {
  shared_array<int> memory(a, count);
  sycl::event last = a.fill(memory.get(), 1, count);
  for (int step = 0; step < 40; ++step) {
    sycl::queue &queue = step % 2 == 0 ? b : a;
    last = queue.submit([&](sycl::handler &handler) {
      handler.depends_on(last);
      handler.parallel_for(count, [p = memory.get(), step](int i) { p[i] = p[i] * 3 + step; });
    });
  }
  last.wait();
  int expected = 1;
  for (int step = 0; step < 40; ++step)
    expected = static_cast<int>(static_cast<unsigned>(expected) * 3u + static_cast<unsigned>(step));
  for (int i = 0; i < count; i += 97)
    CHECK_EQUAL(memory[i], expected);
}

// Two branches that join: each writes its half, the sum needs both.
void check_join(sycl::queue &a, sycl::queue &b) {
  shared_array<long> memory(a, count), sum(a, 1);
  sum[0] = 0;
  const sycl::event left = a.parallel_for(count / 2, [p = memory.get()](int i) { p[i] = i; });
  const sycl::event right = b.parallel_for(count / 2, [p = memory.get()](int i) { p[count / 2 + i] = 1; });
  const std::vector<sycl::event> both{left, right};
  const sycl::event total = b.parallel_for(sycl::range<1>(count), both, sycl::reduction(sum.get(), sycl::plus<>()),
                                           [p = memory.get()](int i, auto &s) { s += p[i]; });
  sycl::event(total).wait();
  CHECK_EQUAL(sum[0], long(count / 2) * (count / 2 - 1) / 2 + count / 2);
}

void check_barriers(sycl::queue &a, sycl::queue &b) {
  shared_array<int> memory(a, count);
  a.parallel_for(count, [p = memory.get()](int i) { p[i] = i; });
  sycl::event all = a.ext_oneapi_submit_barrier();
  sycl::event there = b.ext_oneapi_submit_barrier({all});
  b.parallel_for(count, [p = memory.get()](int i) { p[i] += 1; });
  there.wait();
  CHECK(all.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
  b.ext_oneapi_submit_barrier().wait();
  for (int i = 0; i < count; i += 31)
    CHECK_EQUAL(memory[i], i + 1);
}

} // namespace

int main() {
  sycl::queue a, b;
  for (int round = 0; round < 5; ++round) {
    check_chain(a, b);
    check_join(a, b);
    check_barriers(a, b);
  }
  return pass();
}
