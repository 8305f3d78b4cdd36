// Accessors of two and three dimensions, with ranges and offsets, and their iterators.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <algorithm>
#include <numeric>
#include <vector>

static void matrix(sycl::queue &queue) {
  constexpr std::size_t n = 24, m = 17, k = 9;
  std::vector<float> a(n * k), b(k * m), c(n * m, -1.f);
  std::iota(a.begin(), a.end(), 1.f);
  std::iota(b.begin(), b.end(), -3.f);
  {
    sycl::buffer<float, 2> left(a.data(), {n, k}), right(b.data(), {k, m}), result(c.data(), {n, m});
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor x(left, handler, sycl::read_only), y(right, handler, sycl::read_only);
      sycl::accessor z(result, handler, sycl::write_only, sycl::no_init);
      handler.parallel_for(sycl::range<2>(n, m), [=](sycl::item<2> item) {
        float sum = 0;
        for (std::size_t i = 0; i < k; ++i)
          sum += x[item[0]][i] * y[sycl::id<2>(i, item[1])];
        z[item] = sum;
      });
    });
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      float sum = 0;
      for (std::size_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * m + j];
      CHECK_EQUAL(c[i * m + j], sum);
    }
}

static void parts(sycl::queue &queue) {
  const sycl::range<3> whole(4, 5, 6), part(2, 3, 4);
  const sycl::id<3> offset(1, 2, 1);
  std::vector<int> memory(whole.size());
  std::iota(memory.begin(), memory.end(), 0);
  {
    sycl::buffer<int, 3> buffer(memory.data(), whole);
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor elements(buffer, handler, part, offset, sycl::read_write);
      CHECK(elements.get_range() == part && elements.get_offset() == offset);
      CHECK_EQUAL(elements.size(), part.size());
      handler.parallel_for(part, [=](sycl::id<3> i) {
        elements[i] += 1000;
        elements[i[0]][i[1]][i[2]] *= -1;
      });
    });
    sycl::host_accessor elements(buffer, part, offset, sycl::read_write);
    int sum = 0, first = *elements.begin();
    for (int &element : elements) {
      CHECK(element < 0);
      sum -= element;
      element -= 1;
    }
    CHECK_EQUAL(first, elements[0][0][0] + 1);
    CHECK_EQUAL(elements.end() - elements.begin(), std::ptrdiff_t(part.size()));
    CHECK_EQUAL(*(elements.begin() + 5), (elements[sycl::id<3>(0, 1, 1)]));
    CHECK_EQUAL(*elements.crbegin(), (elements[1][2][3]));
    CHECK(std::is_sorted(elements.rbegin(), elements.rend()));
    CHECK(elements.get_pointer()[0] == 0);
    CHECK(sum > 24000);
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const std::size_t at[] = {i / 30, i / 6 % 5, i % 6};
    bool inside = true;
    for (int d = 0; d < 3; ++d)
      inside = inside && at[d] >= offset[d] && at[d] < offset[d] + part[d];
    CHECK_EQUAL(memory[i], inside ? -static_cast<int>(i) - 1001 : static_cast<int>(i));
  }
}

static void stencil(sycl::queue &queue) {
  constexpr std::size_t size = 32;
  std::vector<float> memory(size * size, 0.f), expected;
  memory[size * 16 + 16] = 100.f;
  expected = memory;
  {
    sycl::buffer<float, 2> one(memory.data(), sycl::range<2>(size, size)), other(sycl::range<2>(size, size));
    queue.submit([&](sycl::handler &handler) {
      sycl::accessor from(one, handler, sycl::read_only);
      sycl::accessor to(other, handler, sycl::write_only, sycl::no_init);
      handler.copy(from, to);
    });
    for (int step = 0; step < 10; ++step) {
      sycl::buffer<float, 2> &source = step % 2 == 0 ? one : other, &target = step % 2 == 0 ? other : one;
      queue.submit([&](sycl::handler &handler) {
        auto from = source.get_access<sycl::access::mode::read>(handler);
        const sycl::range<2> inner(size - 2, size - 2);
        auto to = target.get_access<sycl::access::mode::write>(handler, inner, sycl::id<2>(1, 1));
        handler.parallel_for(inner, [=](sycl::id<2> i) {
          const std::size_t y = i[0] + 1, x = i[1] + 1;
          to[i] = 0.25f * (from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
        });
      });
    }
  }
  std::vector<float> next = expected;
  for (int step = 0; step < 10; ++step, std::swap(next, expected))
    for (std::size_t y = 1; y + 1 < size; ++y)
      for (std::size_t x = 1; x + 1 < size; ++x)
        next[y * size + x] = 0.25f * (expected[(y - 1) * size + x] + expected[(y + 1) * size + x] +
                                      expected[y * size + x - 1] + expected[y * size + x + 1]);
  for (std::size_t i = 0; i < memory.size(); ++i)
    CHECK_EQUAL(memory[i], expected[i]);
}

static void beyond(sycl::queue &queue) {
  sycl::buffer<int, 2> buffer(sycl::range<2>(4, 4));
  int caught = 0;
  for (sycl::id<2> offset : {sycl::id<2>(2, 0), sycl::id<2>(0, 3), sycl::id<2>(5, 0)}) {
    try {
      queue.submit([&](sycl::handler &handler) {
        sycl::accessor elements(buffer, handler, sycl::range<2>(3, 2), offset);
        handler.parallel_for(sycl::range<2>(3, 2), [=](sycl::id<2> i) { elements[i] = 0; });
      });
    } catch (const sycl::exception &error) {
      caught += error.code() == sycl::errc::invalid;
    }
  }
  CHECK_EQUAL(caught, 3);
}

int main() {
  sycl::queue queue;
  matrix(queue);
  parts(queue);
  stencil(queue);
  beyond(queue);
  std::puts("PASS");
}
