// A device without memory for further blocks: they are plain, and algorithms on them are right.
// memory: auto shared
// options: --stdpar -rdynamic
#include "where.hpp"

#include <memory>

#include <dlfcn.h>

// Stands in front of the runtime's, which the allocator looks up by name.
static bool is_exhausted = false;
extern "C" sinter_status sinter_stdpar_memory(std::size_t size, std::size_t alignment, void **memory) {
  if (is_exhausted)
    return SINTER_ERROR_OUT_OF_MEMORY;
  using function = sinter_status (*)(std::size_t, std::size_t, void **);
  return reinterpret_cast<function>(dlsym(RTLD_NEXT, "sinter_stdpar_memory"))(size, alignment, memory);
}

static bool is_shared(const void *block) {
  sinter_pointer_info info{};
  info.struct_size = sizeof info;
  return sinter_pointer_get_info(block, &info) == SINTER_SUCCESS && info.kind == SINTER_MEMORY_SHARED;
}

static void check(std::vector<int> &numbers, bool on_device) {
  const auto policy = std::execution::par_unseq;
  CHECK(runs_on_device([&] {
          std::for_each(policy, numbers.begin(), numbers.end(), [](int &x) { x += 2; });
        }) == on_device);
  CHECK(numbers.front() == 3 && numbers.back() == 3);
  const long sum = std::reduce(policy, numbers.begin(), numbers.end(), 0L);
  CHECK(sum == 3L * static_cast<long>(numbers.size()));
  std::sort(policy, numbers.begin(), numbers.end());
  std::fill(policy, numbers.begin(), numbers.end(), 1);
  CHECK(numbers.front() == 1 && numbers.back() == 1);
}

int main() {
  const bool interposes = is_interposed();
  std::vector<int> inside(100000, 1);
  CHECK(is_shared(inside.data()) == interposes);
  is_exhausted = true;
  // More than what the allocator has at hand.
  std::vector<int> large(20000000, 1);
  CHECK(!is_shared(large.data()));
  std::vector<std::unique_ptr<char[]>> all;
  std::size_t shared = 0;
  for (int i = 0; i != 100; ++i) {
    all.emplace_back(new char[1 << 20]);
    all.back()[0] = 1;
    shared += is_shared(all.back().get());
  }
  CHECK(interposes ? shared != 0 && shared != all.size() : shared == 0);
  check(large, !interposes);
  check(inside, true);
  // A block that grows leaves the device.
  std::vector<int> growing(100000, 1);
  growing.resize(large.size(), 1);
  CHECK(!is_shared(growing.data()));
  check(growing, !interposes);
  CHECK(runs_on_device([&] {
          std::copy(std::execution::par_unseq, inside.begin(), inside.end(), large.begin());
        }) == !interposes);

  // Blocks that are freed are handed out again, and so is further memory.
  all.clear();
  std::vector<char> again(1 << 20);
  CHECK(is_shared(again.data()) == interposes);
  is_exhausted = false;
  std::vector<int> more(large.size(), 1);
  CHECK(is_shared(more.data()) == interposes);
  check(more, true);
  return pass();
}
