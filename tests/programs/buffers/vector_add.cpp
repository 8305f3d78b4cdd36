// The first programs of tutorials, in their styles: constructors, deduction, get_access.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <array>
#include <vector>

constexpr std::size_t count = 1000;

static void check(const std::vector<float> &sum) {
  for (std::size_t i = 0; i < count; ++i)
    CHECK_EQUAL(sum[i], static_cast<float>(3 * i));
}

static void with_deduction(sycl::queue &queue, const std::vector<float> &a, const std::vector<float> &b) {
  std::vector<float> sum(count, -1.f);
  {
    sycl::buffer first(a), second{b.data(), sycl::range{count}}, result(sum);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor x(first, handler, sycl::read_only), y{second, handler, sycl::read_only};
      sycl::accessor z(result, handler, sycl::write_only, sycl::no_init);
      static_assert(std::is_same_v<decltype(z)::value_type, float>);
      handler.parallel_for(count, [=](auto i) { z[i] = x[i] + y[i]; });
    });
  }
  check(sum);
}

static void with_get_access(sycl::queue &queue, const std::vector<float> &a, const std::vector<float> &b) {
  std::vector<float> sum(count, -1.f);
  {
    sycl::buffer<float, 1> first(a.data(), sycl::range<1>(a.size())), second(b.data(), sycl::range<1>(b.size()));
    sycl::buffer<float, 1> result(sum.data(), sycl::range<1>(sum.size()));
    queue.submit([&](sycl::handler &handler) {
      auto x = first.get_access<sycl::access::mode::read>(handler);
      auto y = second.get_access<sycl::access::mode::read, sycl::access::target::constant_buffer>(handler);
      auto z = result.get_access<sycl::access::mode::discard_write>(handler);
      handler.parallel_for<class legacy_add>(sycl::range<1>(count), [=](sycl::id<1> i) { z[i] = x[i] + y[i]; });
    });
    auto back = result.get_access<sycl::access::mode::read>();
    CHECK_EQUAL(back[count - 1], 3.f * (count - 1));
  }
  check(sum);
}

static void with_braces(sycl::queue &queue, const std::vector<float> &a, const std::vector<float> &b) {
  std::vector<float> sum(count, -1.f);
  {
    sycl::buffer<float> first{a}, second{b.begin(), b.end()}, result{sum};
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor x{first, handler, sycl::read_only, {}};
      auto y = second.get_access(handler, sycl::read_only);
      sycl::accessor z{result, handler, sycl::write_only, {sycl::no_init}};
      handler.parallel_for(sycl::nd_range<1>(count, 10), [=](sycl::nd_item<1> item) {
        const auto i = item.get_global_id();
        const int j = static_cast<int>(item.get_global_linear_id());
        z[i] = x[j] + y[i];
      });
    });
    sycl::host_accessor back(result, sycl::read_only);
    for (std::size_t i = 0; i < count; ++i)
      CHECK_EQUAL(back[i], static_cast<float>(3 * i));
  }
  check(sum);
}

static void with_nameless_types(sycl::queue &queue, const std::vector<float> &a, const std::vector<float> &b) {
  std::vector<float> sum(count);
  {
    sycl::range<1> items{count};
    sycl::buffer<float, 1> first(a.data(), items), second(b.data(), items), result(sum.data(), items);
    using reads = sycl::accessor<float, 1, sycl::access::mode::read, sycl::access::target::global_buffer>;
    using writes = sycl::accessor<float, 1, sycl::access_mode::write>;
    struct adder {
      reads x, y;
      writes z;
      void operator()(sycl::item<1> item) const { z[item] = x[item] + y[item.get_id()]; }
    };
    queue.submit([&](sycl::handler &handler) {
      reads x(first, handler), y(second, handler);
      handler.parallel_for(items, adder{x, y, writes(result, handler)});
    });
    queue.wait_and_throw();
  }
  check(sum);
}

int main() {
  sycl::queue queue([](sycl::exception_list errors) {
    for (const std::exception_ptr &error : errors)
      std::rethrow_exception(error);
  });
  std::vector<float> a(count), b(count);
  for (std::size_t i = 0; i < count; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(2 * i);
  }
  with_deduction(queue, a, b);
  with_get_access(queue, a, b);
  with_braces(queue, a, b);
  with_nameless_types(queue, a, b);
  std::puts("PASS");
}
