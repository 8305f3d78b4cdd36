// Each group reverses its part through local memory, which a helper takes as a plain pointer.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

static void reverse(int *data, int *shared, sycl::nd_item<1> &item) {
  const int size = static_cast<int>(item.get_local_range(0));
  const int mine = static_cast<int>(item.get_local_id(0));
  const int global = static_cast<int>(item.get_global_id(0));
  shared[mine] = data[global];
  item.barrier(sycl::access::fence_space::local_space);
  data[global] = shared[size - 1 - mine];
}

int main() {
  sycl::queue queue(sycl::property::queue::in_order{});
  constexpr std::size_t size = 1920;
  int *data = sycl::malloc_shared<int>(size, queue);
  for (const std::size_t group : {1, 2, 3, 64, 96, 320, 960}) {
    for (std::size_t i = 0; i < size; ++i)
      data[i] = static_cast<int>(i * i);
    queue.submit([&](sycl::handler &cgh) {
      sycl::local_accessor<int, 1> shared(sycl::range<1>(group), cgh);
      cgh.parallel_for<class reversal>(sycl::nd_range<1>(size, group), [=](sycl::nd_item<1> item) {
        reverse(data, shared.get_multi_ptr<sycl::access::decorated::no>().get(), item);
      });
    });
    queue.wait();
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t start = i / group * group, opposite = start + group - 1 - (i - start);
      CHECK_EQUAL(data[i], static_cast<int>(opposite * opposite));
    }
  }
  sycl::free(data, queue);
  return pass();
}
