// Atomic addition, minimum and maximum of float and double, in global and in local memory.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class T, sycl::access::address_space Space = sycl::access::address_space::generic_space>
using reference = sycl::atomic_ref<T, sycl::memory_order::relaxed, sycl::memory_scope::device, Space>;

template <class T> struct results {
  T sum, difference, least, most, from_groups, exchanged;
};

template <class T> static void test(sycl::queue &queue) {
  constexpr int size = 4096, group_size = 64;
  results<T> *out = sycl::malloc_shared<results<T>>(1, queue);
  *out = {0, 0, 1000, -1000, 0, 5};
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<T> local(sycl::range<1>(1), cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int i = static_cast<int>(item.get_global_id(0));
      // Multiples of a quarter with a small sum: exact in every order of the additions.
      const T value = static_cast<T>(i % 17 - 8) / 4;
      reference<T>(out->sum).fetch_add(value);
      reference<T, sycl::access::address_space::global_space>(out->difference) -= value;
      reference<T>(out->least).fetch_min(value - i);
      reference<T>(out->most).fetch_max(value + i);
      reference<T>(out->exchanged).exchange(7);
      if (item.get_group().leader())
        local[0] = 0;
      item.barrier();
      reference<T, sycl::access::address_space::local_space>(local[0]) += value;
      item.barrier();
      if (item.get_group().leader())
        reference<T>(out->from_groups) += local[0];
    });
  });
  queue.wait();
  T sum = 0, least = 1000, most = -1000;
  for (int i = 0; i < size; ++i) {
    const T value = static_cast<T>(i % 17 - 8) / 4;
    sum += value;
    least = value - i < least ? value - i : least;
    most = value + i > most ? value + i : most;
  }
  CHECK_EQUAL(out->sum, sum);
  CHECK_EQUAL(out->difference, -sum);
  CHECK_EQUAL(out->least, least);
  CHECK_EQUAL(out->most, most);
  CHECK_EQUAL(out->from_groups, sum);
  CHECK_EQUAL(out->exchanged, 7);
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  test<float>(queue);
  test<double>(queue);
  return pass();
}
