// The program is told of compilations, asserts that there are none, and gives queues a mode.
#include <sinter/jit.hpp>
#include <sycl/sycl.hpp>

#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#include "../check.hpp"

namespace {

constexpr int size = 64;

class first_kernel;
class second_kernel;
class third_kernel;

template <class Name> void run(sycl::queue &queue, int *numbers, int factor) {
  queue.parallel_for<Name>(sycl::range<1>(size), [=](sycl::id<1> i) { numbers[i] = static_cast<int>(i[0]) * factor; });
  queue.wait();
  CHECK(numbers[size - 1] == (size - 1) * factor);
}

unsigned long long disk_hits() {
  sinter_statistics statistics{};
  statistics.struct_size = sizeof(statistics);
  CHECK(sinter_get_statistics(&statistics) == SINTER_SUCCESS);
  return statistics.disk_hits;
}

bool names(const std::vector<sinter::compilation> &all, const char *name) {
  for (const sinter::compilation &one : all)
    if (one.kernel.find(name) != std::string::npos)
      return true;
  return false;
}

void told(sycl::queue &queue, int *numbers) {
  std::mutex lock;
  std::vector<sinter::compilation> all;
  {
    const sinter::compilation_observer observer([&](const sinter::compilation &one) {
      const std::lock_guard<std::mutex> held(lock);
      all.push_back(one);
    });
    run<first_kernel>(queue, numbers, 2);
    run<first_kernel>(queue, numbers, 2);
    CHECK(all.size() == 1 && names(all, "first_kernel"));
    CHECK(all[0].why == sinter::reason::launch && all[0].from != sinter::source::failed && all[0].failure.empty());
    const char *level = std::getenv("SINTER_OPT_LEVEL");
    const bool may_be_quick = level && std::string(level) == "O1";
    CHECK(all[0].tier == sinter::level::full || may_be_quick);
    CHECK(all[0].device_name == queue.get_device().get_info<sycl::info::device::name>());
    CHECK(all[0].duration >= all[0].translate + all[0].assemble + all[0].load && !all[0].variant.empty());
  }
  run<second_kernel>(queue, numbers, 3);
  CHECK(all.size() == 1);
}

void asserted(sycl::queue &queue, int *numbers) {
  sinter::wait_for_jit();
  CHECK(sinter::expect_no_compilation([&] {
          run<first_kernel>(queue, numbers, 2);
          return 7;
        }) == 7);
  bool caught = false;
  try {
    sinter::expect_no_compilation([&] {
      run<first_kernel>(queue, numbers, 2);
      run<third_kernel>(queue, numbers, 4);
    });
  } catch (const sinter::compiled_error &error) {
    caught = true;
    CHECK(names(error.compilations(), "third_kernel") && !names(error.compilations(), "first_kernel"));
    CHECK(std::string(error.what()).find("third_kernel") != std::string::npos);
  }
  CHECK(caught);
  sinter::no_compilation_region unused;
}

void square(sycl::queue &queue, int *numbers) {
  queue.parallel_for<class square_kernel>(sycl::range<1>(size), [=](sycl::id<1> i) {
    const int index = static_cast<int>(i[0]);
    numbers[i] = index * index;
  });
  queue.wait();
}

void modes(sycl::queue &usual, int *numbers) {
  using sinter::property::queue::jit;
  sycl::queue strict(usual.get_context(), usual.get_device(),
                     {jit(sinter::jit_mode::require), sycl::property::queue::in_order()});
  CHECK(strict.has_property<jit>() && strict.is_in_order() && !sycl::queue().has_property<jit>());
  CHECK(strict.get_property<jit>().mode() == sinter::jit_mode::require);
  run<first_kernel>(strict, numbers, 2);
  bool refused = false;
  const unsigned long long before = disk_hits();
  try {
    square(strict, numbers);
  } catch (const sycl::exception &error) {
    refused = error.code() == sycl::errc::build && std::string(error.what()).find("square_kernel") != std::string::npos;
  }
  CHECK(refused || disk_hits() > before); // A repeated run finds it in the cache.
  sycl::queue quick(usual.get_context(), usual.get_device(), jit(sinter::jit_mode::fallback));
  square(quick, numbers);
  sinter::wait_for_jit();
  square(strict, numbers);
  CHECK(numbers[5] == 25);
}

} // namespace

int main() {
  // It counts what its launches compile, and nothing else.
  CHECK(setenv("SINTER_JIT_AHEAD", "0", 1) == 0);
  sycl::queue queue{sinter::property::queue::jit(sinter::jit_mode::sync)};
  int *const numbers = sycl::malloc_shared<int>(size, queue);
  told(queue, numbers);
  asserted(queue, numbers);
  modes(queue, numbers);
  sycl::free(numbers, queue);
  return pass();
}
