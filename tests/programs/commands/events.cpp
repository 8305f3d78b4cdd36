// Events: waiting, status, dependencies in one queue and between queues, all forms of depends_on.
#include <sycl/sycl.hpp>

#include <unordered_set>
#include <vector>

#include "../check.hpp"

using status = sycl::info::event_command_status;

static bool complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() == status::complete;
}

int main() {
  sycl::queue first, second{sycl::property::queue::in_order()}, third;
  constexpr std::size_t size = 100000;
  int *data = sycl::malloc_shared<int>(size, first);

  CHECK(complete(sycl::event()));
  sycl::event().wait();
  CHECK(sycl::event().get_backend() == sycl::queue().get_backend());
  for (int round = 0; round < 50; ++round) {
    const sycl::event zeroed = first.memset(data, 0, size * sizeof(int));
    const sycl::event added = second.parallel_for(size, zeroed, [=](auto i) { data[i] += int(i); });
    sycl::event doubled = third.submit([&](sycl::handler &handler) {
      handler.depends_on(added);
      handler.parallel_for(size, [=](auto i) { data[i] *= 2; });
    });
    const sycl::event joined = first.submit([&](sycl::handler &handler) {
      handler.parallel_for(sycl::range<1>(size), [=](auto i) { data[i] += 1; });
      handler.depends_on({added, doubled}); // after the command: still holds
    });
    sycl::event last = second.parallel_for(sycl::nd_range<1>(size, 100), {joined, doubled},
                                           [=](sycl::nd_item<1> item) { data[item.get_global_id(0)] += 1; });
    last.wait_and_throw();
    CHECK(complete(last) && complete(joined) && complete(doubled) && complete(added) && complete(zeroed));
    for (std::size_t i = 0; i < size; i += 997)
      CHECK_EQUAL(data[i], 2 * i + 2);
  }

  sycl::event left = first.single_task([=] { data[0] = 5; });
  sycl::event right = second.single_task([=] { data[1] = 6; });
  const sycl::event both = third.submit([&](sycl::handler &handler) { handler.depends_on({left, right}); });
  sycl::event::wait({both});
  CHECK(complete(left) && complete(right) && data[0] == 5 && data[1] == 6);

  const sycl::event copy = left;
  CHECK(copy == left && copy != right);
  std::unordered_set<sycl::event> set{left, right, copy};
  CHECK_EQUAL(set.size(), 2);

  // An event outlives its queue.
  sycl::event survivor;
  {
    sycl::queue temporary;
    survivor = temporary.single_task([=] { data[2] = 7; });
  }
  survivor.wait();
  CHECK_EQUAL(data[2], 7);
  sycl::free(data, first);
  return pass();
}
