// Placeholder accessors get their addresses when a command group requires them.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <numeric>
#include <vector>

template <class Action> static bool throws(sycl::errc code, const Action &action) {
  try {
    action();
  } catch (const sycl::exception &error) {
    return error.code() == code;
  }
  return false;
}

int main() {
  sycl::queue queue;
  std::vector<int> memory(64);
  std::iota(memory.begin(), memory.end(), 0);
  {
    sycl::buffer<int> from(memory), to{sycl::range<1>(64)};
    sycl::accessor reads(from, sycl::read_only);
    sycl::accessor<int, 1, sycl::access::mode::write, sycl::access::target::global_buffer,
                   sycl::access::placeholder::true_t>
        writes(to);
    CHECK(reads.is_placeholder() && writes.is_placeholder());

    for (int round = 1; round <= 3; ++round) {
      queue.submit([&](sycl::handler &handler) {
        handler.require(reads);
        handler.require(writes);
        handler.parallel_for(64, [=](sycl::id<1> i) { writes[i] = reads[i] * round; });
      });
      const sycl::host_accessor result(to, sycl::read_only);
      CHECK_EQUAL(result[63], 63 * round);
    }

    sycl::accessor part(from, sycl::range<1>(8), sycl::id<1>(16), sycl::read_write);
    queue.submit([&](sycl::handler &handler) {
      handler.require(part);
      handler.parallel_for(8, [=](sycl::id<1> i) { part[i] = -1; });
    });

    sycl::accessor of_host(from, sycl::read_only_host_task);
    int seen = 0;
    queue.submit([&](sycl::handler &handler) {
      handler.require(of_host);
      handler.host_task([=, &seen] { seen = of_host[8] + of_host[16]; });
    });
    queue.wait();
    CHECK_EQUAL(seen, 8 - 1);
    const auto task = [&](sycl::handler &handler) { handler.host_task([=, &seen] { seen = of_host[8]; }); };
    CHECK(throws(sycl::errc::kernel_argument, [&] { queue.submit(task); }));

    const auto group = [&](sycl::handler &handler) {
      handler.require(reads);
      handler.parallel_for(64, [=](sycl::id<1> i) { writes[i] = reads[i]; });
    };
    CHECK(throws(sycl::errc::kernel_argument, [&] { queue.submit(group); }));
    CHECK(throws(sycl::errc::kernel_argument, [&] { queue.parallel_for(64, [=](sycl::id<1> i) { writes[i] = 1; }); }));
    const auto copy = [&](sycl::handler &handler) { handler.copy(reads, memory.data()); };
    CHECK(throws(sycl::errc::kernel_argument, [&] { queue.submit(copy); }));
  }
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(memory[i], i >= 16 && i < 24 ? -1 : i);
  std::puts("PASS");
}
