// Loads of every second, third, fourth or eighth element, which rows on the host make of vectors:
// of all work-items and of some, and at both ends of memory behind and in front of which there is
// none.
// devices: host
// rows: off 4 8 16 32 64
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace {

constexpr std::size_t groups = 3;

// Memory with pages around it that cannot be accessed. `at_end` if the last byte is that of a page.
class island {
public:
  island(std::size_t bytes, bool at_end) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inside = (bytes + page - 1) / page * page;
    size = inside + 2 * page;
    whole = static_cast<char *>(mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    CHECK(whole != MAP_FAILED && mprotect(whole + page, inside, PROT_READ | PROT_WRITE) == 0);
    start = whole + page + (at_end ? inside - bytes : 0);
  }
  ~island() { munmap(whole, size); }
  island(const island &) = delete;
  island &operator=(const island &) = delete;

  char *start;

private:
  char *whole;
  std::size_t size;
};

template <class T> T input(std::size_t i) { return static_cast<T>(static_cast<int>(i * 37 % 1009) - 500); }

// The sum of a few elements, of which all have the same distance to those of the next work-item.
template <class T, unsigned Step> T sum_of(const T *a, std::size_t i) {
  T sum = 0;
  for (unsigned k = 0; k < 3; ++k)
    sum = static_cast<T>(sum * T(2) + a[i * Step] - a[i * Step + Step - 1]);
  return sum;
}

// Elements that some work-items do not read.
template <class T, unsigned Step> T some_of(const T *a, std::size_t i) {
  T sum = 1;
  if (a[i * Step] > T(0))
    for (unsigned k = 0; k < Step; ++k)
      sum = static_cast<T>(sum + a[i * Step + k] * T(k + 1));
  return sum;
}

template <class T, unsigned Step> void check(sycl::queue &queue, std::size_t items, bool at_end) {
  const std::size_t count = items * groups;
  const island memory(count * Step * sizeof(T), at_end);
  T *a = reinterpret_cast<T *>(memory.start);
  for (std::size_t i = 0; i < count * Step; ++i)
    a[i] = input<T>(i);
  T *sums = sycl::malloc_shared<T>(count, queue), *some = sycl::malloc_shared<T>(count, queue);
  queue.parallel_for(sycl::nd_range<1>(count, items), [=](sycl::nd_item<1> item) {
    const std::size_t i = item.get_global_id(0);
    sums[i] = sum_of<T, Step>(a, i);
    some[i] = some_of<T, Step>(a, i);
  });
  queue.wait();
  for (std::size_t i = 0; i < count; ++i) {
    CHECK_EQUAL(sums[i], (sum_of<T, Step>(a, i)));
    CHECK_EQUAL(some[i], (some_of<T, Step>(a, i)));
  }
  sycl::free(sums, queue);
  sycl::free(some, queue);
}

template <class T> void check_steps(sycl::queue &queue) {
  for (const std::size_t items : {64u, 83u, 7u})
    for (const bool at_end : {false, true}) {
      check<T, 2>(queue, items, at_end);
      check<T, 3>(queue, items, at_end);
      check<T, 4>(queue, items, at_end);
      check<T, 8>(queue, items, at_end);
    }
}

} // namespace

int main() {
  sycl::queue queue;
  check_steps<std::int32_t>(queue);
  check_steps<float>(queue);
  check_steps<std::int64_t>(queue);
  check_steps<double>(queue);
  return pass();
}
