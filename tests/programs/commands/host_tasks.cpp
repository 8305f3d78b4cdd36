// Host tasks: their order among other commands, errors, times and handles.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <atomic>
#include <thread>

#include "../check.hpp"

constexpr int count = 1000;

// Commands before a host task are complete when it starts; commands after it start later. No
// submission blocks while the host task waits for this thread.
static void order(sycl::queue &queue) {
  int *data = sycl::malloc_host<int>(count, queue);
  std::atomic<bool> go = false, ran = false;
  int seen = 0;
  for (int i = 0; i < count; ++i)
    data[i] = 0;
  queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { data[i] += int(i); });
  const sycl::event task = queue.submit([&](sycl::handler &cgh) {
    cgh.host_task([&, data] {
      while (!go)
        std::this_thread::yield();
      for (int i = 0; i < count; ++i)
        seen += data[i] == i;
      for (int i = 0; i < count; ++i)
        data[i] = 2;
      ran = true;
    });
  });
  sycl::event after = queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { data[i] *= 3; });
  queue.fill(data + 1, 9, 1);
  sycl::event last = queue.memcpy(data + 2, data, sizeof(int));
  CHECK(!ran);
  CHECK(task.get_info<sycl::info::event::command_execution_status>() != sycl::info::event_command_status::complete);
  CHECK(after.get_info<sycl::info::event::command_execution_status>() != sycl::info::event_command_status::complete);
  go = true;
  after.wait();
  CHECK(ran && seen == count && data[0] == 6 && data[count - 1] == 6);
  CHECK(task.get_info<sycl::info::event::command_execution_status>() == sycl::info::event_command_status::complete);
  last.wait();
  CHECK(data[1] == 9 && data[2] == 6);
  queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { data[i] = -int(i); }).wait();
  CHECK(data[count - 1] == 1 - count);
  sycl::free(data, queue);
}

// A command of another queue waits for a host task, and a host task for it.
static void across_queues(sycl::queue &first) {
  sycl::queue second(first.get_context(), first.get_device());
  int *data = sycl::malloc_host<int>(2, first);
  std::atomic<bool> go = false;
  int seen = 0;
  data[0] = data[1] = 0;
  const sycl::event task = first.submit([&](sycl::handler &cgh) {
    cgh.host_task([&, data] {
      while (!go)
        std::this_thread::yield();
      data[0] = 5;
    });
  });
  const sycl::event copied = second.single_task(task, [=] { data[1] = data[0] + 1; });
  const sycl::event read = first.submit([&](sycl::handler &cgh) {
    cgh.depends_on(copied);
    cgh.host_task([&, data] { seen = data[1]; });
  });
  CHECK(copied.get_info<sycl::info::event::command_execution_status>() != sycl::info::event_command_status::complete);
  go = true;
  sycl::event(read).wait();
  CHECK(seen == 6 && data[1] == 6);
  CHECK(sycl::event(copied).get_wait_list().size() == 1);
  sycl::free(data, first);
}

// A host task may submit to other queues and wait for them, also for other host tasks.
static void nested(sycl::queue &outer) {
  int *data = sycl::malloc_host<int>(1, outer);
  int depth = 0;
  data[0] = 1;
  outer.submit([&](sycl::handler &cgh) {
    cgh.host_task([&, data] {
      sycl::queue inner(outer.get_context(), outer.get_device());
      inner.single_task([=] { data[0] += 10; });
      inner.submit([&](sycl::handler &another) { another.host_task([&] { depth = data[0]; }); });
      inner.single_task([=] { data[0] *= 2; }).wait();
    });
  });
  outer.single_task([=] { data[0] += 1; }).wait();
  CHECK(depth == 11 && data[0] == 23);
  sycl::free(data, outer);
}

static void errors(const sycl::device &device) {
  int handled = 0;
  std::string text;
  const auto handler = [&](sycl::exception_list list) {
    for (const std::exception_ptr &error : list)
      try {
        std::rethrow_exception(error);
      } catch (const std::runtime_error &failure) {
        ++handled;
        text = failure.what();
      }
  };
  sycl::queue queue(device, handler);
  const auto failing = [](sycl::handler &cgh) { cgh.host_task([] { throw std::runtime_error("on purpose"); }); };
  queue.submit(failing);
  queue.wait();
  CHECK(handled == 0);
  queue.throw_asynchronous();
  CHECK(handled == 1 && text == "on purpose");
  queue.submit(failing).wait_and_throw();
  CHECK(handled == 2);
  queue.wait_and_throw();
  CHECK(handled == 2);

  sycl::queue plain(device);
  bool thrown = false;
  plain.submit(failing);
  try {
    plain.wait();
  } catch (const std::runtime_error &failure) {
    thrown = failure.what() == std::string("on purpose");
  }
  CHECK(thrown);
  plain.wait_and_throw();
}

// An error that nobody asked for reaches the handler on the thread that gives the queue up.
static void error_at_the_end(const sycl::device &device) {
  for (int round = 0; round < 200; ++round) {
    int handled = 0;
    std::thread::id where;
    {
      sycl::queue queue(device, [&](sycl::exception_list list) {
        handled += static_cast<int>(list.size());
        where = std::this_thread::get_id();
      });
      queue.submit([](sycl::handler &cgh) { cgh.host_task([] { throw std::runtime_error("on purpose"); }); }).wait();
    }
    CHECK(handled == 1 && where == std::this_thread::get_id());
  }
}

// A host task cannot wait for its own queue.
static void own_queue(const sycl::device &device) {
  sycl::queue queue(device);
  bool refused = false;
  queue.submit([&](sycl::handler &cgh) {
    cgh.host_task([&] {
      try {
        queue.wait();
      } catch (const sycl::exception &error) {
        refused = std::string(error.what()).find("waits for its own queue") != std::string::npos;
      }
    });
  });
  queue.wait();
  CHECK(refused);
}

static void times(const sycl::device &device) {
  sycl::queue queue(device, {sycl::property::queue::enable_profiling(), sycl::property::queue::in_order()});
  const auto nothing = [] {};
  queue.single_task(nothing);
  const sycl::event task = queue.submit([&](sycl::handler &cgh) {
    cgh.host_task([] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); });
  });
  const sycl::event after = queue.single_task(nothing);
  const auto submit = task.get_profiling_info<sycl::info::event_profiling::command_submit>();
  const auto start = task.get_profiling_info<sycl::info::event_profiling::command_start>();
  const auto end = task.get_profiling_info<sycl::info::event_profiling::command_end>();
  CHECK(submit <= start && start + 20000000 <= end);
  CHECK(after.get_profiling_info<sycl::info::event_profiling::command_submit>() <=
        after.get_profiling_info<sycl::info::event_profiling::command_start>());
  CHECK(after.get_profiling_info<sycl::info::event_profiling::command_submit>() < end);
}

// Captures of a host task live until it has run, and are destroyed once.
static void ownership(const sycl::device &device) {
  std::weak_ptr<int> watched;
  int value = 0;
  {
    sycl::queue queue(device);
    auto owned = std::make_shared<int>(7);
    watched = owned;
    // The task holds the last handle of the queue.
    queue.submit([&](sycl::handler &cgh) { cgh.host_task([queue, owned, &value] { value = *owned; }); });
    queue.single_task([] {});
    try {
      queue.submit([&](sycl::handler &cgh) {
        cgh.host_task([owned] {});
        cgh.host_task([] {});
      });
      CHECK(false);
    } catch (const sycl::exception &error) {
      CHECK(error.code() == sycl::errc::invalid);
    }
  }
  while (!watched.expired())
    std::this_thread::yield();
  CHECK(value == 7);
}

static void handles(sycl::queue &queue) {
  bool same = false, mismatch = false;
  queue.submit([&](sycl::handler &cgh) {
    cgh.host_task([&](sycl::interop_handle handle) {
      same = handle.get_backend() == queue.get_backend();
      if (handle.get_backend() == sycl::backend::opencl)
        same = same && handle.get_native_queue<sycl::backend::opencl>() &&
               handle.get_native_device<sycl::backend::opencl>() ==
                   sycl::get_native<sycl::backend::opencl>(queue.get_device()) &&
               handle.get_native_context<sycl::backend::opencl>();
      if (handle.get_backend() == sycl::backend::ext_oneapi_cuda)
        same = same && handle.get_native_queue<sycl::backend::ext_oneapi_cuda>() ==
                           sycl::get_native<sycl::backend::ext_oneapi_cuda>(queue);
      try {
        handle.get_native_queue<sycl::backend::ext_oneapi_hip>();
      } catch (const sycl::exception &error) {
        mismatch = error.code() == sycl::errc::backend_mismatch;
      }
    });
  });
  queue.wait();
  CHECK(same && (mismatch || queue.get_backend() == sycl::backend::ext_oneapi_hip));
}

// The second queue gets the command group if the first one refuses it.
static void second_queue(sycl::queue &queue) {
  sycl::queue other(queue.get_context(), queue.get_device());
  int tries = 0, ran = 0;
  queue.submit(
      [&](sycl::handler &cgh) {
        if (++tries == 1)
          throw sycl::exception(sycl::errc::runtime, "not here");
        cgh.host_task([&] { ++ran; });
      },
      other);
  other.wait();
  CHECK(tries == 2 && ran == 1);
}

// Many threads submit to one queue.
static void threads(sycl::queue &queue) {
  int *sum = sycl::malloc_host<int>(1, queue);
  int tasks = 0;
  *sum = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < 4; ++t)
    all.emplace_back([&, sum] {
      for (int i = 0; i < 25; ++i) {
        sycl::event one = queue.single_task([=] { ++*sum; });
        sycl::event two = queue.submit([&](sycl::handler &cgh) { cgh.host_task([&] { ++tasks; }); });
        if (i % 5 == t)
          one.wait();
        if (i % 7 == t)
          two.wait();
      }
    });
  for (std::thread &one : all)
    one.join();
  queue.wait();
  CHECK(tasks == 100 && *sum == 100);
  sycl::free(sum, queue);
}

int main() {
  sycl::queue in_order(sycl::property::queue::in_order{}), queue;
  for (sycl::queue *one : {&in_order, &queue}) {
    order(*one);
    across_queues(*one);
    nested(*one);
    handles(*one);
    second_queue(*one);
    threads(*one);
  }
  errors(queue.get_device());
  error_at_the_end(queue.get_device());
  own_queue(queue.get_device());
  times(queue.get_device());
  ownership(queue.get_device());
  return pass();
}
