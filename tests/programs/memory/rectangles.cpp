// Copies and fills of rectangles, prefetch and mem-advise.
#include <sycl/sycl.hpp>

#include <vector>

#include "../check.hpp"

namespace {

constexpr std::size_t width = 37, height = 11, pitch = 64;

void check_copies(sycl::queue &queue) {
  std::vector<int> from(height * width), back(height * width, -1);
  for (std::size_t i = 0; i < from.size(); ++i)
    from[i] = static_cast<int>(i * 3);
  int *device = sycl::malloc_device<int>(height * pitch, queue);
  queue.fill(device, 7, height * pitch);
  const sycl::event there = queue.ext_oneapi_memcpy2d(device, pitch * sizeof(int), from.data(), width * sizeof(int),
                                                      width * sizeof(int), height);
  queue.parallel_for(sycl::range<2>(height, width), there, [=](sycl::id<2> i) { device[i[0] * pitch + i[1]] += 1; });
  queue.ext_oneapi_copy2d(device, pitch, back.data(), width, width, height).wait();
  for (std::size_t i = 0; i < back.size(); ++i)
    CHECK_EQUAL(back[i], i * 3 + 1);
  std::vector<int> whole(height * pitch);
  queue.memcpy(whole.data(), device, whole.size() * sizeof(int)).wait();
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = width; column < pitch; ++column)
      CHECK_EQUAL(whole[row * pitch + column], 7);
  sycl::free(device, queue);
}

void check_fills(sycl::queue &queue) {
  short *memory = sycl::malloc_shared<short>(height * pitch, queue);
  queue.memset(memory, 0, height * pitch * sizeof(short));
  const sycl::event filled = queue.ext_oneapi_fill2d(memory, pitch, short(5), width, height);
  queue.ext_oneapi_memset2d(memory, pitch * sizeof(short), 1, 2 * sizeof(short), height, {filled});
  queue.submit([&](sycl::handler &handler) {
    handler.ext_oneapi_memset2d(memory + 10 * pitch, pitch * sizeof(short), -1, pitch * sizeof(short), 1);
  });
  queue.ext_oneapi_memset2d(memory, pitch, 9, 0, height).wait();
  for (std::size_t row = 0; row < height; ++row)
    for (std::size_t column = 0; column < pitch; ++column) {
      const short expected = row == 10 ? -1 : column < 2 ? 0x101 : column < width ? 5 : 0;
      CHECK_EQUAL(memory[row * pitch + column], expected);
    }
  sycl::free(memory, queue);
}

void check_refused(sycl::queue &queue) {
  int *memory = sycl::malloc_shared<int>(64, queue);
  try {
    queue.ext_oneapi_memcpy2d(memory, 8, memory + 32, 16, 16, 2);
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
  }
  sycl::free(memory, queue);
}

// Hints change no result, for any kind of memory.
void check_hints(sycl::queue &queue) {
  constexpr std::size_t size = 1 << 16;
  int *shared = sycl::malloc_shared<int>(size, queue), *device = sycl::malloc_device<int>(16, queue);
  for (std::size_t i = 0; i < size; ++i)
    shared[i] = static_cast<int>(i);
  const sycl::event moved = queue.prefetch(shared, size * sizeof(int));
  for (int advice = 0; advice <= 6; ++advice)
    queue.mem_advise(shared, size * sizeof(int), advice, moved);
  queue.prefetch(device, 16 * sizeof(int)).wait();
  queue.parallel_for(size, [=](sycl::id<1> i) { shared[i] *= 2; }).wait();
  for (std::size_t i = 0; i < size; ++i)
    CHECK_EQUAL(shared[i], 2 * i);
  sycl::free(shared, queue);
  sycl::free(device, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  check_copies(queue);
  check_fills(queue);
  check_refused(queue);
  check_hints(queue);
  return pass();
}
