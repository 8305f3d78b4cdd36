// Every operation of atomic_ref on every integer type.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

template <class T>
using reference = sycl::atomic_ref<T, sycl::memory_order::acq_rel, sycl::memory_scope::device,
                                   sycl::access::address_space::global_space>;

// One object for each operation.
template <class T> struct objects {
  T add, subtract, least, most, conjunction, disjunction, difference, up, down, up_after, down_after;
};

template <class T> static void test(sycl::queue &queue) {
  static_assert(reference<T>::is_always_lock_free && reference<T>::required_alignment == alignof(T));
  static_assert(reference<T>::default_read_order == sycl::memory_order::acquire);
  static_assert(reference<T>::default_write_order == sycl::memory_order::release);
  static_assert(std::is_same_v<typename reference<T>::difference_type, T>);
  constexpr int size = 1000;
  const T all = static_cast<T>(~T(0));
  objects<T> *out = sycl::malloc_shared<objects<T>>(2, queue);
  *out = {0, 0, T(size), 0, all, 0, 0, 0, 0, 0, 0};
  out[1] = {};
  queue.parallel_for(size, [=](int i) {
    const T value = static_cast<T>(i);
    reference<T>(out->add).fetch_add(value);
    reference<T>(out->subtract).fetch_sub(value, sycl::memory_order::relaxed);
    reference<T>(out->least).fetch_min(value + 3, sycl::memory_order::seq_cst, sycl::memory_scope::system);
    reference<T>(out->most).fetch_max(value);
    reference<T>(out->conjunction) &= static_cast<T>(~(T(1) << (i % 31)));
    reference<T>(out->disjunction) |= static_cast<T>(T(1) << (i % 31));
    reference<T>(out->difference) ^= value;
    ++reference<T>(out->up);
    --reference<T>(out->down);
    reference<T>(out->up_after)++;
    reference<T>(out->down_after)--;
  });
  queue.single_task([=, second = out + 1] {
    reference<T> add(second->add);
    add = 5;
    second->subtract = add += 3;
    second->least = add.load();
    second->most = add -= 2;
    second->conjunction = add.exchange(9, sycl::memory_order::seq_cst);
    second->disjunction = add;
    second->difference = add++;
    second->up = ++add;
    add.store(77, sycl::memory_order::relaxed);
    second->down = add.is_lock_free() ? add-- : 0;
    second->up_after = --add;
    second->down_after = add.fetch_max(100);
  });
  queue.wait();
  const int sum = size * (size - 1) / 2;
  CHECK_EQUAL(out->add, sum);
  CHECK(out->subtract == static_cast<T>(-static_cast<T>(sum)));
  CHECK_EQUAL(out->least, 3);
  CHECK_EQUAL(out->most, size - 1);
  const T low = static_cast<T>(0x7fffffff);
  CHECK(out->conjunction == static_cast<T>(all & ~low));
  CHECK(out->disjunction == low);
  T difference = 0;
  for (int i = 0; i < size; ++i)
    difference ^= static_cast<T>(i);
  CHECK_EQUAL(out->difference, difference);
  CHECK_EQUAL(out->up, size);
  CHECK(out->down == static_cast<T>(-static_cast<T>(size)));
  CHECK_EQUAL(out->up_after, size);
  CHECK(out->down_after == static_cast<T>(-static_cast<T>(size)));
  const objects<T> &second = out[1];
  CHECK_EQUAL(second.subtract, 8);
  CHECK_EQUAL(second.least, 8);
  CHECK_EQUAL(second.most, 6);
  CHECK_EQUAL(second.conjunction, 6);
  CHECK_EQUAL(second.disjunction, 9);
  CHECK_EQUAL(second.difference, 9);
  CHECK_EQUAL(second.up, 11);
  CHECK_EQUAL(second.down, 77);
  CHECK_EQUAL(second.up_after, 75);
  CHECK_EQUAL(second.down_after, 75);
  CHECK_EQUAL(second.add, 100);
  sycl::free(out, queue);
}

int main() {
  sycl::queue queue;
  test<int>(queue);
  test<unsigned>(queue);
  test<long>(queue);
  test<unsigned long>(queue);
  test<long long>(queue);
  test<unsigned long long>(queue);
  return pass();
}
