// Contexts are equal only to their copies; queues share the default context of their platform;
// memory belongs to the context in which it was allocated.
#include <sycl/sycl.hpp>

#include <atomic>
#include <thread>

#include "../check.hpp"

namespace {

void check_identity() {
  const sycl::queue queue, other(queue.get_device());
  const sycl::context own, second, on_device(queue.get_device()), whole(queue.get_device().get_platform());
  const sycl::context copy = own;
  CHECK(queue.get_context() == other.get_context() && queue.get_context() == queue.get_context());
  CHECK(own == copy && std::hash<sycl::context>()(own) == std::hash<sycl::context>()(copy));
  for (const sycl::context &different : {queue.get_context(), second, on_device, whole})
    CHECK(own != different && !(own == different));
  CHECK(queue.get_context() != whole && whole.get_devices() == queue.get_context().get_devices());
  const sycl::queue mine(own, queue.get_device());
  CHECK(mine.get_context() == own && mine.get_context() != queue.get_context());
  CHECK(queue.get_context().get_devices() == queue.get_device().get_platform().get_devices());
}

// Threads that construct the first queues of a process get the same default context.
void check_threads() {
  std::vector<sycl::context> found(8, sycl::context());
  std::atomic<int> missing(int(found.size()));
  std::vector<std::thread> threads;
  for (sycl::context &one : found)
    threads.emplace_back([&one, &missing] {
      for (--missing; missing > 0;)
        std::this_thread::yield();
      one = sycl::queue().get_context();
    });
  for (std::thread &one : threads)
    one.join();
  for (const sycl::context &one : found)
    CHECK(one == found[0]);
}

void check_memory(const sycl::context &mine, const sycl::context &strange) {
  using sycl::usm::alloc;
  sycl::queue queue(mine, mine.get_devices()[0]);
  const sycl::device device = queue.get_device();
  int *shared = sycl::malloc_shared<int>(16, queue), *on_device = sycl::malloc_device<int>(16, device, mine);
  int *host = sycl::malloc_host<int>(16, mine);
  const struct { int *memory; alloc kind; } all[] = {
      {shared, alloc::shared}, {on_device, alloc::device}, {host, alloc::host}};
  for (const auto &one : all) {
    queue.fill(one.memory, 3, 16);
    queue.parallel_for(16, [=, memory = one.memory](sycl::id<1> i) { memory[i] += int(i[0]); });
    int back[16] = {};
    queue.copy(one.memory, back, 16).wait();
    CHECK_EQUAL(back[15], 18);
    CHECK(sycl::get_pointer_type(one.memory, mine) == one.kind && sycl::get_pointer_device(one.memory + 5, mine) == device);
    CHECK(sycl::get_pointer_type(one.memory + 15, mine) == one.kind);
    CHECK(sycl::get_pointer_type(one.memory, strange) == alloc::unknown);
    try {
      sycl::get_pointer_device(one.memory, strange);
      CHECK(!"an exception");
    } catch (const sycl::exception &error) {
      CHECK(error.code() == sycl::errc::invalid);
    }
    sycl::free(one.memory, mine);
    CHECK(sycl::get_pointer_type(one.memory, mine) == alloc::unknown);
  }
}

// A reused address belongs to the context of its last allocation.
void check_reuse(sycl::queue &queue) {
  const sycl::context own;
  for (int i = 0; i < 100; ++i) {
    int *mine = sycl::malloc_shared<int>(4, queue.get_device(), own);
    sycl::free(mine, own);
    int *others = sycl::malloc_shared<int>(4, queue);
    CHECK(sycl::get_pointer_type(others, queue.get_context()) == sycl::usm::alloc::shared);
    CHECK(sycl::get_pointer_type(others, own) == sycl::usm::alloc::unknown);
    sycl::free(others, queue);
  }
}

void check_allocators(const sycl::queue &queue) {
  using allocator = sycl::usm_allocator<int, sycl::usm::alloc::shared>;
  const sycl::context own;
  const allocator ours(queue), mine(own, queue.get_device());
  CHECK(ours == allocator(queue) && ours != mine && mine == allocator(mine));
  std::vector<int, allocator> numbers(100, 7, mine);
  CHECK(sycl::get_pointer_type(numbers.data(), own) == sycl::usm::alloc::shared);
}

} // namespace

template <class... Types>
inline constexpr bool names_backend = (noexcept(std::declval<const Types &>().get_backend()) && ...);
static_assert(names_backend<sycl::platform, sycl::device, sycl::context, sycl::queue, sycl::event, sycl::kernel,
                            sycl::kernel_bundle<sycl::bundle_state::executable>>);

int main() {
  check_threads();
  check_identity();
  sycl::queue queue;
  check_memory(sycl::context(), queue.get_context());
  check_memory(queue.get_context(), sycl::context());
  check_memory(sycl::context(), sycl::context());
  check_reuse(queue);
  check_allocators(queue);
  return pass();
}
