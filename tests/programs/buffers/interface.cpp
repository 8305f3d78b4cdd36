// standards: c++17 c++20
// Types, comparisons, hashes and conversions of buffers and accessors.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <array>
#include <string>
#include <unordered_set>
#include <vector>

using sycl::access_mode;
using sycl::target;

static_assert(std::is_same_v<decltype(sycl::buffer(std::declval<std::vector<float> &>())), sycl::buffer<float, 1>>);
static_assert(std::is_same_v<decltype(sycl::buffer(std::declval<const std::vector<int> &>())), sycl::buffer<int, 1>>);
static_assert(std::is_same_v<decltype(sycl::buffer(std::declval<std::array<int, 4> &>())), sycl::buffer<int, 1>>);
static_assert(std::is_same_v<decltype(sycl::buffer((int *)nullptr, sycl::range<2>(1, 1))), sycl::buffer<int, 2>>);
static_assert(std::is_same_v<decltype(sycl::buffer((const int *)nullptr, sycl::range(1, 1, 1))), sycl::buffer<int, 3>>);
static_assert(std::is_trivially_copyable_v<sycl::accessor<float, 3>>);
static_assert(sycl::is_device_copyable_v<sycl::accessor<float>>);
static_assert(std::is_same_v<sycl::accessor<const int>::reference, const int &>);
static_assert(std::is_same_v<sycl::accessor<int, 1, access_mode::read>::value_type, const int>);
static_assert(std::is_same_v<std::iterator_traits<sycl::accessor<int, 2>::iterator>::iterator_category,
                             std::random_access_iterator_tag>);
static_assert(!std::is_convertible_v<sycl::accessor<int, 1, access_mode::read>, sycl::accessor<int>>);
static_assert(sycl::is_property_v<sycl::property::no_init> && sycl::is_property_v<sycl::property::buffer::use_mutex>);
static_assert(sycl::is_property_of_v<sycl::property::buffer::use_host_ptr, sycl::buffer<int>>);

// Overloads by what an accessor does.
static int reads(const sycl::accessor<const int, 1, access_mode::read> &elements) {
  return static_cast<int>(elements.size());
}

static void accessors(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(16)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor all(buffer, handler);
    static_assert(std::is_same_v<decltype(all), sycl::accessor<int, 1, access_mode::read_write, target::device>>);
    sycl::accessor constant(buffer, handler, sycl::read_constant);
    using expected = sycl::accessor<int, 1, access_mode::read, target::constant_buffer>;
    static_assert(std::is_same_v<decltype(constant), expected>);
    sycl::accessor task(buffer, handler, sycl::read_only_host_task);
    static_assert(std::is_same_v<decltype(task), sycl::accessor<int, 1, access_mode::read, target::host_task>>);
    sycl::accessor part(buffer, handler, sycl::range<1>(4), sycl::id<1>(2), sycl::write_only, {sycl::no_init});
    static_assert(std::is_same_v<decltype(part), sycl::accessor<int, 1, access_mode::write>>);

    CHECK_EQUAL(reads(all), 16);
    CHECK(part.has_property<sycl::property::no_init>() && !all.has_property<sycl::property::no_init>());
    sycl::accessor<int, 1, access_mode::read> same = all;
    sycl::accessor<const int, 1, access_mode::read> again = same;
    same = again;
    CHECK((same != sycl::accessor<int, 1, access_mode::read>(buffer, handler, sycl::range<1>(3))));
    sycl::accessor copy = all, other(buffer, handler, sycl::range<1>(2));
    CHECK(copy == all && other != all);
    CHECK(std::hash<decltype(all)>()(copy) == std::hash<decltype(all)>()(all));
    copy.swap(other);
    CHECK(other == all && copy.size() == 2);
    CHECK_EQUAL(part.byte_size(), 4 * sizeof(int));
    CHECK(!part.empty() && !part.is_placeholder() && part.max_size() > 1000);
    CHECK(part.get_pointer().get() + 2 == &part[0]);
    CHECK(part.get_multi_ptr<sycl::access::decorated::no>().get() == all.get_pointer().get());
    const sycl::accessor<int> none;
    CHECK(none.empty() == none.empty());
    handler.parallel_for(16, [=](sycl::item<1> i) {
      const auto pointer = all.get_pointer();
      pointer[i] = all.end() - all.begin() == 16 ? 1 : 0;
    });
  });
  sycl::host_accessor elements(buffer);
  static_assert(std::is_same_v<decltype(elements), sycl::host_accessor<int, 1, access_mode::read_write>>);
  sycl::host_accessor<const int> constants = elements;
  int sum = 0;
  for (const int &element : constants)
    sum += element;
  CHECK_EQUAL(sum, 16);
  sycl::host_accessor<int> other;
  other.swap(elements);
  CHECK_EQUAL(other[3], 1);
  const auto legacy = buffer.get_access<sycl::access::mode::read>(sycl::range<1>(3), sycl::id<1>(1));
  CHECK_EQUAL(legacy[2], 1);
  CHECK_EQUAL(legacy.get_count(), std::size_t(3));
}

static void zero_dimensions(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor<int, 0, access_mode::write> element(buffer, handler, sycl::no_init);
    CHECK_EQUAL(element.size(), std::size_t(1));
    handler.single_task([=] { element = 41; });
  });
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor<int, 0> element(buffer, handler);
    handler.single_task([=] {
      int &reference = element;
      reference += 1;
    });
  });
  sycl::host_accessor<int, 0> element(buffer);
  const int value = element;
  CHECK_EQUAL(value, 42);
  element = 5;
  CHECK(element == 5);
  // An empty buffer has no element.
  sycl::buffer<int> none{sycl::range<1>(0)};
  CHECK((sycl::accessor<int, 0, access_mode::write>(none).empty()));
  CHECK((sycl::host_accessor<int, 0>(none).byte_size() == 0));
}

static void atomics(sycl::queue &queue) {
  sycl::buffer<int> buffer{sycl::range<1>(2)};
  queue.submit([&](sycl::handler &handler) {
    handler.fill(sycl::accessor(buffer, handler, sycl::write_only, sycl::no_init), 0);
  });
  queue.submit([&](sycl::handler &handler) {
    auto sums = buffer.get_access<access_mode::atomic>(handler);
    handler.parallel_for(100, [=](sycl::id<1> i) {
      sums[0].fetch_add(1);
      sycl::atomic_fetch_max(sums[sycl::id<1>(1)], static_cast<int>(i[0]));
    });
  });
  const sycl::host_accessor sums(buffer, sycl::read_only);
  CHECK_EQUAL(sums[0], 100);
  CHECK_EQUAL(sums[1], 99);
}

static void constant_elements() {
  const std::vector<int> values(5, 3);
  sycl::buffer<const int> buffer(values.data(), sycl::range<1>(5));
  const sycl::host_accessor<const int> elements(buffer);
  CHECK_EQUAL(elements[4], 3);
  sycl::buffer<int> copy{sycl::range<1>(5)};
  sycl::queue queue;
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor from(buffer, handler, sycl::read_only);
    sycl::accessor<const int, 1, access_mode::read> same(buffer, handler);
    sycl::accessor to(copy, handler, sycl::write_only, sycl::no_init);
    handler.parallel_for(5, [=](sycl::id<1> i) { to[i] = from[i] + same[i]; });
  });
  CHECK_EQUAL(sycl::host_accessor(copy, sycl::read_only)[0], 6);
}

static void buffers() {
  std::string text = "abcd";
  sycl::buffer<char> letters(text);
  CHECK_EQUAL(letters.size(), std::size_t(4));
  sycl::buffer<int, 2> one(sycl::range<2>(3, 4)), other = one, another(sycl::range<2>(3, 4));
  CHECK(one == other && one != another);
  CHECK_EQUAL(one.byte_size(), 12 * sizeof(int));
  CHECK_EQUAL(one.get_count(), std::size_t(12));
  std::unordered_set<sycl::buffer<int, 2>> set{one, other, another};
  CHECK_EQUAL(set.size(), std::size_t(2));
  const sycl::context context;
  sycl::buffer<int> bound(sycl::range<1>(1), sycl::property_list{sycl::property::buffer::context_bound(context)});
  CHECK(bound.get_property<sycl::property::buffer::context_bound>().get_context() == context);
  bool caught = false;
  try {
    bound.get_property<sycl::property::buffer::use_mutex>();
  } catch (const sycl::exception &error) {
    caught = error.code() == sycl::errc::invalid;
  }
  CHECK(caught);
  std::allocator<int> allocator = one.get_allocator();
  sycl::buffer<int, 1, std::allocator<int>> allocated(sycl::range<1>(2), allocator);
  CHECK_EQUAL(allocated.size(), std::size_t(2));
  caught = false;
  try {
    sycl::buffer<int, 2> huge(sycl::range<2>(std::size_t(1) << 40, std::size_t(1) << 40));
  } catch (const sycl::exception &error) {
    caught = error.code() == sycl::errc::invalid;
  }
  CHECK(caught);
  caught = false;
  try {
    sycl::queue().submit([&](sycl::handler &handler) { sycl::accessor(one, handler, sycl::read_only, sycl::no_init); });
  } catch (const sycl::exception &error) {
    caught = error.code() == sycl::errc::invalid;
  }
  CHECK(caught);
}

int main() {
  sycl::queue queue;
  accessors(queue);
  zero_dimensions(queue);
  atomics(queue);
  constant_elements();
  buffers();
  std::puts("PASS");
}
