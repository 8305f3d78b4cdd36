// All forms of USM allocation, alignment, and queries about a pointer.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include <cstdint>
#include <vector>

#include "../check.hpp"

static bool aligned(const void *pointer, std::size_t alignment) {
  return reinterpret_cast<std::uintptr_t>(pointer) % alignment == 0;
}

int main() {
  using sycl::usm::alloc;
  sycl::queue queue;
  const sycl::context context = queue.get_context();
  const sycl::device device = queue.get_device();

  const auto check = [&](void *pointer, alloc kind, std::size_t alignment = 64) {
    CHECK(pointer != nullptr);
    CHECK(aligned(pointer, alignment));
    CHECK(sycl::get_pointer_type(pointer, context) == kind);
    CHECK(sycl::get_pointer_type(static_cast<char *>(pointer) + 9, context) == kind);
    CHECK(sycl::get_pointer_device(pointer, context) == device);
    sycl::free(pointer, context);
    CHECK(sycl::get_pointer_type(pointer, context) == alloc::unknown);
  };
  check(sycl::malloc_device(10, queue), alloc::device);
  check(sycl::malloc_device(10, device, context), alloc::device);
  check(sycl::malloc_device<double>(10, queue), alloc::device);
  check(sycl::malloc_device<double>(10, device, context), alloc::device);
  check(sycl::malloc_shared(10, queue), alloc::shared);
  check(sycl::malloc_shared(10, queue, {sycl::ext::oneapi::property::usm::device_read_only()}), alloc::shared);
  check(sycl::malloc_shared<int>(10, device, context), alloc::shared);
  check(sycl::malloc_host(10, context), alloc::host);
  check(sycl::malloc_host<int>(10, queue), alloc::host);
  check(sycl::malloc(10, queue, alloc::shared), alloc::shared);
  check(sycl::malloc<int>(10, device, context, alloc::host), alloc::host);
  check(sycl::aligned_alloc_device(4096, 10, queue), alloc::device, 4096);
  check(sycl::aligned_alloc_shared<int>(256, 10, device, context), alloc::shared, 256);
  check(sycl::aligned_alloc_host(1024, 10, context), alloc::host, 1024);
  check(sycl::aligned_alloc<int>(128, 10, queue, alloc::device), alloc::device, 128);

  int on_stack = 0;
  CHECK(sycl::get_pointer_type(&on_stack, context) == alloc::unknown);
  CHECK(sycl::aligned_alloc_device(48, 10, queue) == nullptr);
  CHECK(sycl::malloc_device<double>(SIZE_MAX / 4, queue) == nullptr);
  CHECK(sycl::malloc_device(std::size_t(1) << 60, queue) == nullptr);
  sycl::free(nullptr, queue);

  using allocator = sycl::usm_allocator<int, alloc::shared>;
  const allocator one(queue);
  CHECK((one == sycl::usm_allocator<float, alloc::shared>(queue)));
  CHECK((one != sycl::usm_allocator<int, alloc::host>(queue)));
  CHECK((one != sycl::usm_allocator<int, alloc::shared, 64>(queue)));
  std::vector<int, allocator> numbers(1000, 1, allocator(queue));
  int *data = numbers.data();
  queue.parallel_for(numbers.size(), [=](auto i) { data[i] += int(i); }).wait();
  CHECK_EQUAL(numbers[999], 1000);
  return pass();
}
