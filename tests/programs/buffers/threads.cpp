// Threads that submit commands on shared and on own buffers, through shared and own queues.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <thread>
#include <vector>

constexpr int thread_count = 4, rounds = 150, count = 64;

static void add(sycl::queue &queue, sycl::buffer<int> &buffer, std::size_t first, std::size_t length) {
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::range<1>(length), sycl::id<1>(first));
    handler.parallel_for(length, [=](sycl::id<1> i) { elements[i] += 1; });
  });
}

int main() {
  sycl::queue shared_queue;
  std::vector<int> memory(count * thread_count, 0), one(count, 0), other(count, 0);
  {
    sycl::buffer<int> shared(memory), first(one), second(other);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < thread_count; ++thread)
      threads.emplace_back([&, thread] {
        sycl::queue own;
        for (int round = 0; round < rounds; ++round) {
          sycl::queue &queue = round % 2 == 0 ? own : shared_queue;
          add(queue, shared, static_cast<std::size_t>(thread * count), count);
          // Both orders of two buffers in one command group.
          sycl::buffer<int> &from = thread % 2 == 0 ? first : second, &to = thread % 2 == 0 ? second : first;
          queue.submit([&](sycl::handler &handler) {
            sycl::accessor x(from, handler), y(to, handler);
            handler.parallel_for(count, [=](sycl::id<1> i) {
              x[i] += 1;
              y[i] += 2;
            });
          });
          if (round % 16 == 3) {
            const sycl::host_accessor elements(shared, sycl::range<1>(count), sycl::id<1>(thread * count),
                                               sycl::read_only);
            CHECK_EQUAL(elements[0], round + 1);
          }
          if (round % 32 == 5) {
            sycl::buffer<int> temporary{sycl::range<1>(count)};
            queue.submit([&](sycl::handler &handler) {
              handler.fill(sycl::accessor(temporary, handler, sycl::write_only, sycl::no_init), round);
            });
          }
        }
      });
    for (std::thread &thread : threads)
      thread.join();
  }
  for (int value : memory)
    CHECK_EQUAL(value, rounds);
  for (int i = 0; i < count; ++i) {
    CHECK_EQUAL(one[i], rounds * thread_count / 2 * 3);
    CHECK_EQUAL(other[i], one[i]);
  }
  std::puts("PASS");
}
