// Local memory that does not fit is errc::memory_allocation: one byte too much, a size above 32 or
// 64 bits, or a declaration in the kernel itself; the queue continues to work.
#include <sycl/sycl.hpp>

#include <cstdint>

#include "../check.hpp"

namespace {

template <class Command> void check_refused(const Command &command) {
  try {
    command();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    if (error.code() != sycl::errc::memory_allocation)
      std::printf("%s\n", error.what());
    CHECK(error.code() == sycl::errc::memory_allocation);
  }
}

// One work-group with this number of bytes of local memory in accessors.
void launch(sycl::queue &queue, int *out, std::size_t bytes, std::size_t more = 0) {
  queue.submit([&](sycl::handler &group) {
    sycl::local_accessor<char> first(bytes, group);
    sycl::local_accessor<char> second(more, group);
    group.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
      first[item.get_local_id(0)] = char(item.get_local_id(0));
      sycl::group_barrier(item.get_group());
      out[item.get_local_id(0)] = first[7 - item.get_local_id(0)] + int(second.size());
    });
  }).wait();
}

void check_fixed(sycl::queue &queue, int *out) {
  struct much {
    char bytes[1u << 31];
  };
  check_refused([&] {
    queue.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
      much &memory = *sycl::ext::oneapi::group_local_memory_for_overwrite<much>(item.get_group());
      memory.bytes[item.get_local_id(0)] = 1;
      sycl::group_barrier(item.get_group());
      *out = memory.bytes[7 - item.get_local_id(0)];
    }).wait();
  });
}

} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(8, queue);
  const std::size_t limit = queue.get_device().get_info<sycl::info::device::local_mem_size>();
  CHECK(limit >= 1024 && limit % 64 == 0);
  for (const std::size_t bytes : {limit + 1, limit + 64, 2 * limit, std::size_t(UINT32_MAX), std::size_t(UINT32_MAX) + 1,
                                  std::size_t(1) << 40, SIZE_MAX / 2, SIZE_MAX - 1, SIZE_MAX}) {
    check_refused([&] { launch(queue, out, bytes); });
    check_refused([&] { launch(queue, out, 64, bytes); });
    check_refused([&] { launch(queue, out, bytes, bytes); });
  }
  check_refused([&] {
    queue.submit([&](sycl::handler &group) {
      sycl::local_accessor<int, 3> large({std::size_t(1) << 22, std::size_t(1) << 22, std::size_t(1) << 22}, group);
    });
  });
  queue.submit([&](sycl::handler &group) { sycl::local_accessor<int, 2> none({SIZE_MAX, 0}, group); });
  check_fixed(queue, out);
  launch(queue, out, limit);
  launch(queue, out, limit - 64, 64);
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(out[i], 7 - i + 64);
  sycl::free(out, queue);
  return pass();
}
