// multi_ptr: its types, conversions and operators, in host code and in kernels.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

using space = sycl::access::address_space;
using decorated = sycl::access::decorated;

template <class T, space Space, decorated Decorated> using pointer = sycl::multi_ptr<T, Space, Decorated>;

static_assert(std::is_same_v<sycl::local_ptr<int>, pointer<int, space::local_space, decorated::legacy>>);
static_assert(std::is_same_v<sycl::raw_global_ptr<int>, pointer<int, space::global_space, decorated::no>>);
static_assert(std::is_same_v<sycl::decorated_private_ptr<int>, pointer<int, space::private_space, decorated::yes>>);
static_assert(std::is_same_v<sycl::remove_decoration_t<sycl::decorated_local_ptr<int>::pointer>, int *>);
static_assert(std::is_same_v<sycl::raw_local_ptr<int>::reference, int &>);
static_assert(std::is_trivially_copyable_v<sycl::local_ptr<int>>);
static_assert(sycl::raw_local_ptr<int>::address_space == sycl::addrspace_local);
// Implicit conversions to const and to void, but not back; none between named address spaces.
static_assert(std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::raw_local_ptr<const int>>);
static_assert(std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::decorated_local_ptr<int>>);
static_assert(std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::raw_local_ptr<void>>);
static_assert(std::is_convertible_v<sycl::raw_local_ptr<const int>, sycl::raw_local_ptr<const void>>);
static_assert(!std::is_convertible_v<sycl::raw_local_ptr<const int>, sycl::raw_local_ptr<int>>);
static_assert(!std::is_convertible_v<sycl::raw_local_ptr<const int>, sycl::raw_local_ptr<void>>);
static_assert(!std::is_convertible_v<sycl::raw_local_ptr<void>, sycl::raw_local_ptr<int>>);
static_assert(!std::is_convertible_v<sycl::raw_local_ptr<int>, sycl::raw_global_ptr<int>>);
static_assert(!std::is_convertible_v<sycl::raw_generic_ptr<int>, sycl::raw_global_ptr<int>>);
static_assert(!std::is_convertible_v<int *, sycl::raw_global_ptr<int>>);
static_assert(std::is_convertible_v<int *, sycl::global_ptr<int>>);
static_assert(std::is_constructible_v<sycl::raw_global_ptr<int>, sycl::raw_generic_ptr<int>>);
static_assert(std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::raw_local_ptr<void>>);
static_assert(std::is_constructible_v<sycl::raw_local_ptr<const int>, sycl::raw_local_ptr<int>>);
static_assert(std::is_constructible_v<sycl::raw_local_ptr<int>, sycl::local_accessor<int, 2>>);
static_assert(!std::is_constructible_v<sycl::raw_global_ptr<int>, sycl::local_accessor<int, 2>>);

template <decorated Decorated> static int count_errors(int *values) {
  using global = pointer<int, space::global_space, Decorated>;
  int wrong = 0;
  global first = sycl::address_space_cast<space::global_space, Decorated>(values), moving(first);
  wrong += *moving++ != 10 || *moving != 11 || *++moving != 12 || *moving-- != 12 || *--moving != 10;
  moving += 5;
  wrong += *moving != 15 || moving[-1] != 14 || *(moving - 3) != 12 || *(2 + moving.get()) != 17;
  moving -= 4;
  wrong += *(moving + 1) != 12 || moving - first != 1;
  wrong += !(first < moving) || first > moving || first >= moving || !(first <= moving) || first == moving;
  wrong += first != values || moving == nullptr || nullptr == moving || !moving;
  const global empty = nullptr, other;
  wrong += empty != nullptr || other != empty || empty < nullptr || static_cast<bool>(empty);
  pointer<const int, space::global_space, Decorated> constant = moving;
  pointer<void, space::global_space, Decorated> untyped = first;
  wrong += *constant != 11 || static_cast<global>(untyped) != first || untyped.get() != values;
  pointer<int, space::generic_space, Decorated> generic;
  generic = moving;
  wrong += generic.get_raw() != values + 1 || static_cast<global>(generic) != moving;
  const int *raw = moving;
  wrong += raw != moving.get_decorated();
  moving.prefetch(4);
  generic = nullptr;
  return wrong + (generic != nullptr);
}

struct point {
  int x, y;
};

int main() {
  sycl::queue queue;
  int *values = sycl::malloc_shared<int>(16, queue);
  for (int i = 0; i < 16; ++i)
    values[i] = 10 + i;
  CHECK_EQUAL(count_errors<decorated::no>(values), 0);
  CHECK_EQUAL(count_errors<decorated::yes>(values), 0);
  CHECK_EQUAL(count_errors<decorated::legacy>(values), 0);
  point origin{3, 4};
  CHECK_EQUAL(sycl::global_ptr<point>(&origin)->y, 4);

  int *errors = sycl::malloc_shared<int>(8, queue);
  const auto captured = sycl::address_space_cast<space::global_space, decorated::no>(values);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> shared(8, cgh);
    cgh.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
      const int mine = static_cast<int>(item.get_local_id(0));
      sycl::multi_ptr local(shared);
      static_assert(std::is_same_v<decltype(local), sycl::raw_local_ptr<int>>);
      sycl::local_ptr<int> same = shared.get_multi_ptr<decorated::legacy>();
      local[mine] = captured[mine];
      sycl::group_barrier(item.get_group());
      int wrong = *(same + (7 - mine)) != 17 - mine;
      const int *plain = shared.get_multi_ptr<decorated::yes>().get();
      wrong += plain[mine ^ 1] != 10 + (mine ^ 1) || local != same;
      errors[mine] = wrong;
    });
  });
  queue.parallel_for(8, [=](int i) { errors[i] += count_errors<decorated::no>(values); });
  queue.wait();
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(errors[i], 0);
  sycl::free(values, queue);
  sycl::free(errors, queue);
  return pass();
}
