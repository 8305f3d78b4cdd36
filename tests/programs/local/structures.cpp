// Structures, vectors and arrays as elements of local memory, and an accessor without dimensions.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct particle {
  sycl::vec<float, 4> position;
  int counts[3];
  double mass;
};

constexpr int size = 192, group_size = 24;

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(size, queue);
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<particle> particles(group_size, cgh);
    sycl::local_accessor<sycl::vec<double, 2>> pairs(group_size, cgh);
    sycl::local_accessor<int[4], 1> rows(sycl::range<1>(group_size), cgh);
    sycl::local_accessor<int, 0> total(cgh);
    cgh.parallel_for(sycl::nd_range<1>(size, group_size), [=](sycl::nd_item<1> item) {
      const int global = static_cast<int>(item.get_global_id(0)), mine = static_cast<int>(item.get_local_id(0));
      particle one{};
      one.position = sycl::vec<float, 4>(1.0f * mine, 2.0f * mine, 0, 1);
      one.counts[mine % 3] = global;
      one.mass = 0.25 * global;
      particles[mine] = one;
      pairs[mine] = sycl::vec<double, 2>(mine, global);
      for (int i = 0; i < 4; ++i)
        rows[mine][i] = mine * 4 + i;
      if (mine == 0)
        total = 7;
      sycl::group_barrier(item.get_group());
      const particle &other = particles[group_size - 1 - mine];
      double sum = other.mass + other.position.y() + pairs[(mine + 1) % group_size].y() + rows[mine ^ 1][3] + total;
      for (const int count : other.counts)
        sum += count;
      out[global] = sum;
    });
  });
  queue.wait();
  for (int global = 0; global < size; ++global) {
    const int mine = global % group_size, start = global - mine, other = group_size - 1 - mine;
    const double expected = 0.25 * (start + other) + 2.0 * other + (start + (mine + 1) % group_size) +
                            ((mine ^ 1) * 4 + 3) + 7 + (start + other);
    CHECK_EQUAL(out[global], expected);
  }
  sycl::free(out, queue);
  return pass();
}
