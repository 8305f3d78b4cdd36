// Commands that fail after they waited for the program: who is told, and what depends on them.
#include <sycl/sycl.hpp>

#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "../check.hpp"

constexpr std::size_t count = 64;

// The errors that a handler got.
struct told {
  std::vector<std::string> texts;
  std::atomic<int> calls = 0;
  sycl::async_handler handler() {
    return [this](sycl::exception_list list) {
      for (const std::exception_ptr &error : list)
        try {
          std::rethrow_exception(error);
        } catch (const sycl::exception &failure) {
          texts.push_back(failure.what());
        }
      ++calls;
    };
  }
  bool is_one(const char *part) const { return texts.size() == 1 && texts[0].find(part) != std::string::npos; }
};

// Calls a function that throws, and returns the text.
template <class Function> static std::string thrown(const Function &function) {
  try {
    function();
  } catch (const sycl::exception &error) {
    return error.what();
  }
  return "";
}
static bool depends(const std::string &text) { return text.find("depends on failed") != std::string::npos; }

// A kernel with more local memory than the device has, which is known when it goes to the device.
template <class Buffer> static sycl::event fail(sycl::queue &queue, Buffer &buffer) {
  const std::size_t limit = queue.get_device().get_info<sycl::info::device::local_mem_size>();
  return queue.submit([&](sycl::handler &group) {
    const sycl::accessor out(buffer, group, sycl::write_only);
    const sycl::local_accessor<char> scratch(sycl::range<1>(limit + 1), group);
    group.parallel_for(sycl::nd_range<1>(count, 8), [=](sycl::nd_item<1> item) {
      scratch[item.get_local_id(0)] = char(item.get_local_id(0));
      sycl::group_barrier(item.get_group());
      out[item.get_global_id(0)] = scratch[7 - item.get_local_id(0)];
    });
  });
}

static sycl::event add(sycl::queue &queue, sycl::buffer<int> &from, sycl::buffer<int> &to) {
  return queue.submit([&](sycl::handler &group) {
    const sycl::accessor in(from, group, sycl::read_only);
    const sycl::accessor out(to, group, sycl::write_only, sycl::no_init);
    group.parallel_for(count, [=](sycl::id<1> i) { out[i] = in[i] + 1; });
  });
}

static bool is_complete(const sycl::event &event) {
  return event.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete;
}
static void await(const sycl::event &event) {
  while (!is_complete(event))
    std::this_thread::yield();
}

// The handler of the failed command's own queue is told once, that of the one that depends on it
// of the dependency, whoever waits first. What does not depend on it runs.
static void each_queue_its_own(const sycl::property_list &properties) {
  told first_told, second_told, third_told;
  sycl::queue first(first_told.handler(), properties), second(second_told.handler(), properties),
      third(third_told.handler(), properties);
  sycl::buffer<int> failed{sycl::range<1>(count)}, copied{sycl::range<1>(count)}, other{sycl::range<1>(count)};
  sycl::event one, two, three;
  {
    sycl::host_accessor all(failed, sycl::write_only), more(other, sycl::write_only);
    for (std::size_t i = 0; i < count; ++i)
      all[i] = more[i] = int(i);
    one = fail(first, failed);
    two = add(second, failed, copied);
    three = add(third, other, copied);
    CHECK(!is_complete(one) && !is_complete(two) && !is_complete(three));
  }
  CHECK(depends(thrown([&] { sycl::host_accessor(failed, sycl::read_only); })));
  three.wait_and_throw();
  CHECK(third_told.texts.empty());
  {
    const sycl::host_accessor result(copied, sycl::read_only);
    CHECK_EQUAL(result[5], 6);
  }
  two.wait_and_throw();
  CHECK(second_told.is_one("depends on failed"));
  CHECK(first_told.texts.empty());
  one.wait_and_throw();
  CHECK(first_told.is_one("local memory"));
  first.wait_and_throw();
  second.wait_and_throw();
  CHECK(first_told.texts.size() == 1 && second_told.texts.size() == 1);
  // The failure is known: later commands that read are refused, and one that replaces all is not.
  CHECK(depends(thrown([&] { add(second, failed, copied); })));
  add(second, other, failed);
  add(second, failed, copied);
  CHECK_EQUAL(sycl::host_accessor(copied, sycl::read_only)[5], 7);
  second.wait_and_throw();
  CHECK(second_told.texts.size() == 1);
}

// The same within one queue, with commands that were submitted before the failure.
static void in_one_queue(const sycl::property_list &properties) {
  told errors;
  sycl::queue queue(errors.handler(), properties);
  sycl::buffer<int> failed{sycl::range<1>(count)}, copied{sycl::range<1>(count)}, other{sycl::range<1>(count)};
  std::optional<sycl::host_accessor<int>> all(std::in_place, failed), more(std::in_place, other);
  for (std::size_t i = 0; i < count; ++i)
    (*all)[i] = (*more)[i] = int(i);
  fail(queue, failed);
  add(queue, failed, copied);
  all.reset();
  more.reset();
  add(queue, other, copied);
  queue.wait();
  CHECK(errors.texts.size() == 0);
  queue.throw_asynchronous();
  CHECK(errors.texts.size() == 2);
  CHECK_EQUAL(sycl::host_accessor(copied, sycl::read_only)[5], 6);
}

// Explicit dependencies, without buffers between the commands.
static void explicit_dependencies(const sycl::property_list &properties) {
  told errors;
  sycl::queue queue(errors.handler(), properties), other(errors.handler(), properties);
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  int *const memory = sycl::malloc_shared<int>(4, queue);
  memory[0] = memory[1] = memory[2] = memory[3] = 0;
  sycl::event failed;
  {
    sycl::host_accessor all(buffer, sycl::write_only);
    failed = fail(queue, buffer);
    queue.single_task(failed, [=] { memory[0] = 1; });
    queue.single_task([=] { memory[1] = 1; });
    other.single_task(failed, [=] { memory[2] = 1; });
    other.single_task([=] { memory[3] = 1; });
  }
  queue.wait();
  other.wait();
  CHECK(memory[0] == 0 && memory[1] == 1 && memory[2] == 0 && memory[3] == 1);
  queue.throw_asynchronous();
  other.throw_asynchronous();
  CHECK(errors.texts.size() == 3);
  CHECK(depends(thrown([&] { other.single_task(failed, [=] { memory[2] = 1; }); })));
  other.single_task([=] { memory[3] = 2; }).wait();
  CHECK(memory[3] == 2 && memory[2] == 0);
  sycl::free(memory, queue);
}

// The end of a queue calls its handler, or else a wait throws.
static void ends() {
  told errors;
  sycl::buffer<int> buffer{sycl::range<1>(count)};
  {
    sycl::queue queue(errors.handler());
    std::optional<sycl::host_accessor<int>> all(std::in_place, buffer);
    const sycl::event failed = fail(queue, buffer);
    all.reset();
    await(failed);
    CHECK(errors.texts.empty());
  }
  // The runtime may be the last one that uses the queue.
  while (errors.calls == 0)
    std::this_thread::yield();
  CHECK(errors.is_one("local memory"));

  sycl::queue plain;
  std::optional<sycl::host_accessor<int>> all(std::in_place, buffer, sycl::no_init);
  fail(plain, buffer);
  all.reset();
  CHECK(thrown([&] { plain.wait(); }).find("local memory") != std::string::npos);
  plain.wait_and_throw();
}

// The memory of the program is not overwritten with what a failed command did not write.
static void write_back() {
  told errors;
  sycl::queue queue(errors.handler());
  std::vector<int> memory(count, 3), target(count, 4);
  {
    sycl::buffer<int> buffer(memory.data(), sycl::range<1>(count));
    buffer.set_final_data(target.data());
    sycl::host_accessor all(buffer);
    fail(queue, buffer);
  }
  CHECK(target[7] == 4);
  queue.throw_asynchronous();
  CHECK(errors.is_one("local memory"));
}

int main() {
  for (const sycl::property_list &properties :
       {sycl::property_list(), sycl::property_list(sycl::property::queue::in_order())}) {
    each_queue_its_own(properties);
    in_one_queue(properties);
    explicit_dependencies(properties);
  }
  ends();
  write_back();
  return pass();
}
