// Several local accessors with elements of different alignment, which must neither overlap nor be
// misaligned.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct alignas(128) line {
  int value;
};

template <class T> static bool aligned(const T *address) {
  return reinterpret_cast<std::size_t>(address) % alignof(T) == 0;
}

int main() {
  sycl::queue queue;
  constexpr int size = 64, group_size = 16;
  int *out = sycl::malloc_shared<int>(size, queue);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<char> bytes(3, cgh);
    sycl::local_accessor<double> numbers(group_size, cgh);
    sycl::local_accessor<char> more(group_size + 1, cgh);
    sycl::local_accessor<line> lines(group_size, cgh);
    sycl::local_accessor<short> shorts(group_size, cgh);
    sycl::local_accessor<long> none(sycl::range<1>(0), cgh);
    sycl::local_accessor<sycl::vec<float, 16>> wide(2, cgh);
    CHECK_EQUAL(numbers.byte_size(), group_size * sizeof(double));
    CHECK_EQUAL(more.size(), group_size + 1);
    CHECK(none.empty() && !wide.empty());
    CHECK(bytes != more && more == more);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int mine = static_cast<int>(item.get_local_id(0)), global = static_cast<int>(item.get_global_id(0));
      if (mine < 3)
        bytes[mine] = static_cast<char>(mine + 1);
      numbers[mine] = global;
      more[mine] = static_cast<char>(mine);
      if (mine == 0)
        more[group_size] = 99;
      lines[mine].value = -global;
      shorts[mine] = static_cast<short>(mine * 100);
      if (mine < 2)
        wide[mine] = sycl::vec<float, 16>(mine + 0.5f);
      sycl::group_barrier(item.get_group());
      int wrong = 0;
      wrong += bytes[0] != 1 || bytes[1] != 2 || bytes[2] != 3;
      for (int i = 0; i < group_size; ++i)
        wrong += numbers[i] != global - mine + i || more[i] != i || lines[i].value != mine - global - i ||
                 shorts[i] != i * 100;
      wrong += more[group_size] != 99 || wide[0][15] != 0.5f || wide[1][0] != 1.5f;
      wrong += !aligned(numbers.begin()) || !aligned(lines.begin()) || !aligned(shorts.begin()) ||
               !aligned(&wide[0]) || !aligned(&lines[3]);
      out[global] = wrong;
    });
  });
  queue.wait();
  for (int i = 0; i < size; ++i)
    CHECK_EQUAL(out[i], 0);
  sycl::free(out, queue);
  return pass();
}
