// Copies and fills whose size in bytes does not fit are refused, not cut short.
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class Command> void check_refused(const Command &command) {
  try {
    command();
    CHECK(!"an exception");
  } catch (const sycl::exception &error) {
    CHECK(error.code() == sycl::errc::invalid);
  }
}

int main() {
  struct large {
    char bytes[256];
  };
  sycl::queue queue;
  double *data = sycl::malloc_shared<double>(64, queue);
  large *elements = reinterpret_cast<large *>(data);
  // Eight bytes each: 2^61 + 1 of them would be 8 bytes.
  constexpr std::size_t count = (std::size_t(1) << 61) + 1;
  const sycl::event none;
  check_refused([&] { queue.copy(data, data + 32, count); });
  check_refused([&] { queue.copy(data, data + 32, count, none); });
  check_refused([&] { queue.copy(data, data + 32, count, std::vector<sycl::event>{none}); });
  check_refused([&] { queue.submit([&](sycl::handler &group) { group.copy(data, data + 32, count); }); });
  check_refused([&] { queue.fill(data, 1.0, count); });
  check_refused([&] { queue.fill(elements, large(), count); });
  queue.wait();
  sycl::free(data, queue);
  return pass();
}
