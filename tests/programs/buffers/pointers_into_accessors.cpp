// multi_ptr made from accessors of buffers, of constant buffers and of local memory.
// standards: c++17 c++20
#include <sycl/sycl.hpp>

#include "../check.hpp"

using space = sycl::access::address_space;
using decorated = sycl::access::decorated;

template <class To, class From> inline constexpr bool converts = std::is_constructible_v<To, From>;
template <class Type, space Space> using raw = sycl::multi_ptr<Type, Space, decorated::no>;

using writes = sycl::accessor<int, 1, sycl::access_mode::read_write>;
using reads = sycl::accessor<int, 1, sycl::access_mode::read>;
using constants = sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::constant_buffer>;
using old_local = sycl::accessor<int, 1, sycl::access_mode::read_write, sycl::target::local>;

static_assert(converts<raw<int, space::global_space>, writes> && converts<raw<int, space::generic_space>, writes>);
static_assert(converts<raw<void, space::global_space>, writes>);
static_assert(!converts<raw<int, space::local_space>, writes> && !converts<raw<float, space::global_space>, writes>);
static_assert(converts<raw<const int, space::global_space>, reads> && !converts<raw<int, space::global_space>, reads>);
static_assert(converts<raw<const int, space::constant_space>, constants>);
static_assert(!converts<raw<const int, space::global_space>, constants>);
static_assert(converts<raw<int, space::local_space>, old_local>);

static_assert(std::is_same_v<decltype(sycl::multi_ptr(writes())), raw<int, space::global_space>>);
static_assert(std::is_same_v<decltype(sycl::multi_ptr(reads())), raw<const int, space::global_space>>);
static_assert(std::is_same_v<decltype(sycl::multi_ptr(constants())), raw<const int, space::constant_space>>);
static_assert(std::is_same_v<decltype(sycl::multi_ptr(old_local())), raw<int, space::local_space>>);
static_assert(std::is_same_v<decltype(constants().get_pointer()), sycl::constant_ptr<int>>);

int main() {
  sycl::queue queue;
  int input[8], output[8] = {}, factor[1] = {3};
  for (int i = 0; i < 8; ++i)
    input[i] = i;
  {
    sycl::buffer in(input, {8}), out(output, {8}), by(factor, {1});
    static_assert(std::is_same_v<decltype(in), sycl::buffer<int, 1>>);
    CHECK_EQUAL(in.size(), 8);
    queue.submit([&](sycl::handler &cgh) {
      const reads from(in, cgh);
      const writes to(out, cgh);
      const constants times(by, cgh);
      const old_local tile(sycl::range<1>(4), cgh);
      cgh.parallel_for(sycl::nd_range<1>(8, 4), [=](sycl::nd_item<1> item) {
        const raw<const int, space::global_space> first(from);
        const raw<int, space::generic_space> last(to);
        const raw<int, space::local_space> shared(tile);
        const raw<const int, space::constant_space> constant(times);
        const std::size_t mine = item.get_local_id(0);
        shared[mine] = first[item.get_global_id(0)] * constant[0];
        sycl::group_barrier(item.get_group());
        last[item.get_global_id(0)] = shared[3 - mine];
      });
    });
  }
  for (int i = 0; i < 8; ++i)
    CHECK_EQUAL(output[i], 3 * (i / 4 * 4 + 3 - i % 4));
  return pass();
}
