// Kernel functions for any argument get an `item` of the default kind, from which templates deduce
// the dimensions, over ranges of all dimensions; one that names another kind gets that.
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <type_traits>

template <int Dimensions> int place(const sycl::item<Dimensions> &item) {
  return static_cast<int>(item.get_linear_id() + item.get_offset()[0]);
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(24, queue);
  queue.parallel_for(sycl::range<1>(24), [=](auto item) { out[item] = place(item); }).wait();
  for (int i = 0; i < 24; ++i)
    CHECK_EQUAL(out[i], i);
  queue.submit([&](sycl::handler &handler) {
    handler.parallel_for(sycl::range<3>(2, 3, 4), [=](auto &item) {
      static_assert(std::is_same_v<std::decay_t<decltype(item)>, sycl::item<3>>);
      out[item.get_linear_id()] = 2 * place(item);
    });
  });
  queue.wait();
  for (int i = 0; i < 24; ++i)
    CHECK_EQUAL(out[i], 2 * i);
  queue.parallel_for(sycl::range<1>(24), [=](sycl::item<1, false> item) { out[item] = 3; }).wait();
  CHECK_EQUAL(out[23], 3);
  sycl::free(out, queue);
  return pass();
}
