// Host tasks with accessors: after the kernels that write, before those that read; beside streams.
#include "../check.hpp"

#include <sycl/sycl.hpp>

#include <mutex>
#include <numeric>
#include <vector>

constexpr std::size_t count = 1000;

// A kernel, a host task and a kernel on one buffer.
static void between_kernels(sycl::queue queue) {
  sycl::buffer<int> values(count);
  int seen = -1;
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(values, group, sycl::write_only, sycl::no_init);
    group.parallel_for(count, [=](sycl::id<1> i) { out[i] = int(i[0]); });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor both(values, group, sycl::read_write_host_task);
    group.host_task([=, &seen] {
      seen = std::accumulate(both.begin(), both.end(), 0);
      both[3] = -7;
    });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor both(values, group);
    group.parallel_for(count, [=](sycl::id<1> i) { both[i] *= 2; });
  });
  sycl::host_accessor result(values);
  CHECK(seen == int(count * (count - 1) / 2));
  CHECK(result[3] == -14 && result[4] == 8 && result[count - 1] == 2 * int(count - 1));
}

// A host task with an accessor follows a host task without one in an in-order queue, and both are
// followed by a kernel.
static void in_order() {
  sycl::queue queue{sycl::property::queue::in_order()};
  sycl::buffer<int> value(1);
  std::vector<int> order;
  queue.submit([&](sycl::handler &group) { group.host_task([&] { order.push_back(1); }); });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(value, group, sycl::write_only_host_task);
    group.host_task([=, &order] {
      order.push_back(2);
      out[0] = 5;
    });
  });
  queue.submit([&](sycl::handler &group) { group.host_task([&] { order.push_back(3); }); });
  int *const memory = sycl::malloc_shared<int>(1, queue);
  queue.submit([&](sycl::handler &group) {
    sycl::accessor in(value, group, sycl::read_only);
    group.single_task([=] { *memory = in[0] + 1; });
  });
  queue.wait();
  CHECK(order == (std::vector<int>{1, 2, 3}));
  CHECK(*memory == 6);
  sycl::free(memory, queue);
}

// Commands with explicit dependencies on a host task with an accessor, and the reverse.
static void explicit_dependencies(sycl::queue queue) {
  sycl::buffer<int> value(1);
  int *const memory = sycl::malloc_shared<int>(1, queue);
  *memory = 0;
  const sycl::event kernel = queue.single_task([=] { *memory = 3; });
  const sycl::event task = queue.submit([&](sycl::handler &group) {
    group.depends_on(kernel);
    sycl::accessor out(value, group, sycl::write_only_host_task);
    group.host_task([=] { out[0] = *memory + 1; });
  });
  queue.submit([&](sycl::handler &group) {
    group.depends_on(task);
    group.single_task([=] { *memory = 10; });
  });
  queue.wait();
  CHECK(*memory == 10);
  CHECK(sycl::host_accessor(value)[0] == 4);
  sycl::free(memory, queue);
}

// An exception is an asynchronous error, and later commands still run.
static void exceptions() {
  int errors = 0;
  sycl::queue queue{[&](sycl::exception_list list) { errors += int(list.size()); }};
  sycl::buffer<int> value(1);
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(value, group, sycl::write_only_host_task);
    group.host_task([=] {
      out[0] = 1;
      throw sycl::exception(sycl::make_error_code(sycl::errc::runtime), "on purpose");
    });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor both(value, group);
    group.single_task([=] { both[0] += 1; });
  });
  queue.wait_and_throw();
  CHECK(errors == 1);
  CHECK(sycl::host_accessor(value)[0] == 2);
}

// A host task with accessors cannot wait for its own queue, also if a later command waits for it.
static void own_queue(sycl::queue queue) {
  sycl::buffer<int> value(1);
  bool refused = false;
  std::mutex started;
  started.lock();
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(value, group, sycl::write_only_host_task);
    group.host_task([=, &refused, &started] {
      const std::lock_guard<std::mutex> held(started);
      try {
        sycl::queue(queue).wait();
      } catch (const sycl::exception &error) {
        refused = std::string(error.what()).find("waits for its own queue") != std::string::npos;
      }
      out[0] = 1;
    });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor both(value, group);
    group.single_task([=] { both[0] += 1; });
  });
  started.unlock();
  queue.wait();
  CHECK(refused);
  CHECK(sycl::host_accessor(value)[0] == 2);
}

// A host task that has no interop_handle uses accessors of the device as those of the host: one of
// a part, a placeholder, and one beside an accessor of the host to the same buffer.
static void accessors_of_the_device(sycl::queue queue) {
  sycl::buffer<int> values(count), sum(1);
  queue.submit([&](sycl::handler &group) {
    sycl::accessor out(values, group, sycl::write_only, sycl::no_init);
    group.parallel_for(count, [=](sycl::id<1> i) { out[i] = int(i[0]); });
  });
  bool is_same = false;
  sycl::accessor<int, 1, sycl::access_mode::write, sycl::target::device, sycl::access::placeholder::true_t> later(sum);
  queue.submit([&](sycl::handler &group) {
    sycl::accessor part(values, group, sycl::range<1>(10), sycl::id<1>(count - 10));
    sycl::accessor whole(values, group, sycl::read_only_host_task);
    group.require(later);
    group.host_task([=, &is_same] {
      is_same = &*part.begin() == &whole[count - 10];
      part.begin()[9] = -1;
      later[0] = std::accumulate(part.begin(), part.end(), 0);
    });
  });
  queue.submit([&](sycl::handler &group) {
    sycl::accessor both(values, group);
    group.parallel_for(count, [=](sycl::id<1> i) { both[i] *= 2; });
  });
  CHECK(sycl::host_accessor(sum)[0] == int(9 * count - 54) - 1);
  CHECK(is_same);
  CHECK(sycl::host_accessor(values)[count - 1] == -2 && sycl::host_accessor(values)[count - 2] == 2 * int(count - 2));
}

int main() {
  between_kernels(sycl::queue{});
  in_order();
  explicit_dependencies(sycl::queue{});
  exceptions();
  accessors_of_the_device(sycl::queue{});
  own_queue(sycl::queue{});
  own_queue(sycl::queue{sycl::property::queue::in_order()});
  return pass();
}
