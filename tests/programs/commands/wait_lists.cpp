// event::get_wait_list: direct dependencies of a command, for every form of submission.
#include <sycl/sycl.hpp>

#include <string>
#include <thread>

#include <unistd.h>

#include "../check.hpp"

namespace {

using events = std::vector<sycl::event>;

// A command of each form that takes dependencies, after `before`.
template <class Dependency> events commands(sycl::queue &queue, int *data, const Dependency &before) {
  const auto sum = sycl::reduction(data, sycl::plus<>());
  return {queue.single_task(before, [=] {}),
          queue.parallel_for(sycl::range<1>(4), before, [=](sycl::id<1>) {}),
          queue.parallel_for(sycl::range<2>(4, 1), before, [=](sycl::id<2>) {}),
          queue.parallel_for(sycl::nd_range<1>(4, 2), before, [=](sycl::nd_item<1>) {}),
          queue.parallel_for(sycl::range<1>(4), before, sum, [=](sycl::id<1>, auto &) {}),
          queue.memcpy(data, data + 8, 4, before),
          queue.copy(data, data + 8, 1, before),
          queue.memset(data, 0, 4, before),
          queue.fill(data, 1, 1, before),
          queue.prefetch(data, 4, before),
          queue.mem_advise(data, 4, 0, before),
          queue.ext_oneapi_memset2d(data, 8, 0, 4, 2, before),
          queue.ext_oneapi_submit_barrier(events{sycl::event(before)}),
          queue.submit([&](sycl::handler &group) {
            group.single_task([=] {});
            group.depends_on(before);
          })};
}
template <> events commands(sycl::queue &queue, int *data, const events &before) {
  return {queue.single_task(before, [=] {}), queue.parallel_for(sycl::range<1>(4), before, [=](sycl::id<1>) {}),
          queue.parallel_for(sycl::nd_range<1>(4, 2), before, [=](sycl::nd_item<1>) {}),
          queue.memcpy(data, data + 8, 4, before), queue.ext_oneapi_submit_barrier(before),
          queue.submit([&](sycl::handler &group) { group.depends_on(before); })};
}

void check_identity(sycl::queue &queue) {
  const sycl::event none, other, copy = none;
  CHECK(none != other && none == copy && std::hash<sycl::event>()(none) == std::hash<sycl::event>()(copy));
  const sycl::event work = queue.single_task([] {}), empty = queue.submit([](sycl::handler &) {});
  CHECK(work == sycl::event(work) && work != empty && empty != queue.submit([](sycl::handler &) {}) && empty != none);
}

// Number of steps back from an event to the first event; `last` becomes that event.
int length_of_chain(sycl::event &last) {
  int length = 0;
  for (events before = last.get_wait_list(); !before.empty(); before = last.get_wait_list(), ++length)
    last = before[0];
  return length;
}

// While commands are incomplete, lists reference all of them, on any queue.
void check_pending(sycl::queue &queue, sycl::queue &other) {
  // Loaded before a kernel runs that ends later: CUDA may wait for kernels when it loads one.
  const auto nothing = [] {};
  queue.single_task(nothing).wait();
  int *flag = sycl::malloc_shared<int>(1, queue);
  *flag = 0;
  const auto spin = [=] {
    while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
    }
  };
  // Mesa's lavapipe ends a kernel that spins.
  const char *devices = std::getenv("SINTER_VISIBILITY_MASK");
  const bool on_host = devices && std::string(devices) == "vulkan";
  const sycl::event first = on_host ? queue.submit([=](sycl::handler &group) { group.host_task(spin); })
                                    : queue.single_task(spin);
  sycl::event last = first;
  for (int i = 0; i < 500; ++i)
    last = (i % 2 == 0 ? other : queue).single_task(last, nothing);
  sycl::event reached = last;
  CHECK_EQUAL(length_of_chain(reached), 500);
  CHECK(reached == first);
  __atomic_store_n(flag, 1, __ATOMIC_RELEASE);
  last.wait();
  sycl::free(flag, queue);
}

// A chain of any length keeps few lists of completed events, even if each command waits for two.
void check_complete(sycl::queue &queue, sycl::event last) {
  sycl::event before = last;
  for (int i = 0; i < 10000; ++i) {
    const sycl::event next = queue.single_task(events{last, before}, [] {});
    before = last;
    last = next;
    last.wait();
  }
  CHECK((last.get_wait_list().size() == 2 && last.get_wait_list()[0] == before));
  CHECK(length_of_chain(last) <= 64);
}

// Chains that share lists. Each thread extends one and reads its lists.
void check_threads(const sycl::event &shared) {
  std::thread threads[3];
  for (std::thread &one : threads)
    one = std::thread([last = shared]() mutable {
      sycl::queue queue;
      for (int i = 0; i < 5000; ++i) {
        last = queue.single_task(last, [] {});
        sycl::event reached = last;
        if (i % 16 == 0)
          CHECK(length_of_chain(reached) > 0);
      }
      last.wait();
    });
  for (std::thread &one : threads)
    one.join();
}

sycl::event chain(sycl::queue &queue, int length) {
  sycl::event last = queue.single_task([] {});
  for (int i = 0; i < length; ++i)
    last = queue.single_task(last, [] {});
  return last;
}

} // namespace

int main() {
  alarm(120);
  sycl::queue queue, other;
  int *data = sycl::malloc_shared<int>(64, queue);
  const sycl::event first = queue.single_task([] {}), second = other.single_task([] {});
  CHECK(sycl::event().get_wait_list().empty() && sycl::event(first).get_wait_list().empty());
  for (sycl::event one : commands(queue, data, first))
    CHECK(one.get_wait_list() == events{first});
  for (sycl::event one : commands(queue, data, second))
    CHECK(one.get_wait_list() == events{second});
  for (sycl::event one : commands(queue, data, events{first, second}))
    CHECK((one.get_wait_list() == events{first, second}));
  sycl::event behind = queue.single_task(queue.single_task(first, [] {}), [] {});
  CHECK(behind.get_wait_list().size() == 1 && behind.get_wait_list()[0] != first);
  CHECK(behind.get_wait_list()[0].get_wait_list() == events{first});
  CHECK(queue.single_task(sycl::event(), [] {}).get_wait_list().empty());
  check_identity(queue);
  check_pending(queue, other);
  // Pending commands keep their lists, so this is a long chain, whose destruction must succeed.
  chain(queue, 100000);
  // A chain too short to have been pruned while it was pending: the next pruning is at most 64
  // lists away.
  check_complete(queue, chain(queue, 60));
  check_threads(chain(queue, 60));
  queue.wait();
  sycl::free(data, queue);
  return pass();
}
