// standards: c++17 c++20
// Spellings of programs for other implementations.
#include <sycl/sycl.hpp>

#include "../check.hpp"
#include <array>
#include <complex>
#include <optional>
#include <vector>

namespace s = sycl;

struct particle {
  float position[3];
  int number;
};

template <class Type, s::access_mode Mode, s::target Target, s::access::placeholder Kind>
static Type last(const s::accessor<Type, 1, Mode, Target, Kind> &elements) {
  return elements[elements.size() - 1];
}

class scale {
public:
  scale(s::accessor<float, 1, s::access::mode::read_write, s::access::target::device> where, float by)
      : elements(where), factor(by) {}
  void operator()(s::nd_item<1> item) const { elements[item.get_global_linear_id()] *= factor; }

private:
  s::accessor<float, 1, s::access::mode::read_write, s::access::target::device> elements;
  float factor;
};

static void constructors(s::queue &queue) {
  int number = 5, array[] = {1, 2, 3, 4};
  std::array<double, 3> doubles = {1, 2, 3};
  std::vector<particle> particles(7);
  {
    s::buffer<int, 1> one(&number, 1), four(array, s::range<1>{4});
    s::buffer five{array, s::range<1>(4)};
    s::buffer third{doubles};
    s::buffer<float> sized(1024), braces{s::range{16}};
    s::buffer<particle, 1> all{particles.data(), particles.size()};
    s::buffer<std::complex<float>, 2> complex{s::range<2>{2, 2}};
    s::buffer<s::float4> vectors(s::range<1>(3));
    CHECK_EQUAL(sized.size() + braces.size() + complex.size(), std::size_t(1044));
    queue.submit([&](auto &h) {
      auto a = one.get_access(h);
      s::accessor b{third, h, s::write_only};
      s::accessor c = s::accessor(all, h, s::range<1>(2), 3, s::write_only);
      s::accessor d(complex, h);
      auto e = vectors.template get_access<s::access_mode::discard_read_write>(h);
      const s::property_list list{s::property::no_init{}};
      s::accessor f(sized, h, s::write_only, list);
      h.single_task([=]() {
        a[0] += 1;
        b[2] = 9;
        c[1].number = 77;
        d[{1, 0}] = {1.f, 2.f};
        e[0] = s::float4(1.f);
        f[0] = e[0].x() + d[1][0].imag();
      });
    });
    CHECK_EQUAL(sized.get_host_access()[0], 3.f);
  }
  CHECK_EQUAL(number, 6);
  CHECK_EQUAL(doubles[2], 9.0);
  CHECK_EQUAL(particles[4].number, 77);
}

static void kernels(s::queue &queue) {
  std::vector<float> values(64, 2.f);
  s::buffer<float> buffer(values);
  s::buffer<int> counts{s::range<1>(2)};
  queue.submit([&](s::handler &cgh) {
    cgh.parallel_for(s::nd_range<1>{64, 16}, scale(buffer.get_access<s::access::mode::read_write>(cgh), 3.f));
  });
  queue.submit([&](s::handler &cgh) { cgh.fill(counts.get_access<s::access::mode::discard_write>(cgh), 0); });
  auto event = queue.submit([&](s::handler &cgh) {
    s::accessor in{buffer, cgh, s::read_only};
    s::accessor out{counts, cgh, s::read_write};
    s::local_accessor<int, 1> tile(s::range<1>(16), cgh);
    cgh.parallel_for(s::nd_range<1>(64, 16), [=](s::nd_item<1> item) {
      const float *pointer = in.get_pointer();
      const float *again = in.get_multi_ptr<s::access::decorated::no>().get();
      tile[item.get_local_id()] = static_cast<int>(pointer[item.get_global_id(0)] + again[0]);
      s::group_barrier(item.get_group());
      s::atomic_ref<int, s::memory_order::relaxed, s::memory_scope::device> sum(out[0]);
      sum += tile[15 - item.get_local_id(0)];
      if (item.get_global_id(0) == 0)
        out[1] = static_cast<int>(last(in));
    });
  });
  CHECK(event.get_wait_list().empty());
  s::host_accessor results{counts, s::read_only};
  CHECK_EQUAL(results[0], 64 * 12);
  CHECK_EQUAL(results[1], 6);
  float sum = 0;
  for (auto value : s::host_accessor{buffer, s::read_only})
    sum += value;
  CHECK_EQUAL(sum, 384.f);
  CHECK_EQUAL(buffer.get_access<s::access::mode::read>()[5], 6.f);
}

static void images_of_functions(s::queue &queue) {
  s::buffer<int, 2> matrix(s::range<2>(8, 4));
  queue.submit([&](s::handler &h) {
    s::accessor elements(matrix, h, s::write_only, s::noinit);
    h.parallel_for(matrix.get_range(), [=](auto index) { elements[index] = static_cast<int>(index[0] * 10 + index[1]); });
  });
  std::optional<s::accessor<int, 2, s::access_mode::read>> kept;
  queue.submit([&](s::handler &h) {
    kept.emplace(matrix, h);
    const auto from = *kept;
    s::accessor to(matrix, h, s::write_only);
    h.parallel_for(s::range(8, 4), [=](s::item<2> index) { to[index] = from[index.get_id()] + 1; });
  });
  const s::host_accessor elements(matrix);
  CHECK_EQUAL((elements[{7, 3}]), 74);
  CHECK_EQUAL(elements[7][3], 74);
}

int main() {
  s::queue queue;
  constructors(queue);
  kernels(queue);
  images_of_functions(queue);
  std::puts("PASS");
}
