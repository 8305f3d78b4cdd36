// A type that the program declares device copyable: as an argument, and as an element of a buffer.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

#if SYCL_DEVICE_COPYABLE != 1
#error "explicitly device-copyable types are supported"
#endif

// Not trivially copyable.
struct counted {
  int value = 0, copies = 0;
  explicit counted(int given) : value(given) {}
  counted(const counted &other) : value(other.value), copies(other.copies + 1) {}
  counted &operator=(const counted &) = default;
};
template <> struct sycl::is_device_copyable<counted> : std::true_type {};
static_assert(!std::is_trivially_copyable_v<counted> && sycl::is_device_copyable_v<counted>);

int main() {
  sycl::queue queue;
  const counted argument(40);
  counted elements[2] = {counted(1), counted(2)};
  {
    sycl::buffer<counted> buffer(elements, sycl::range<1>(2));
    queue.submit([&](sycl::handler &cgh) {
      const sycl::accessor access(buffer, cgh, sycl::read_write);
      cgh.single_task([=] { access[0] = counted(access[1].value + argument.value); });
    });
  }
  CHECK_EQUAL(elements[0].value, 42);
  CHECK_EQUAL(elements[1].value, 2);
  return pass();
}
