// More captured values than a function may have parameters, with pointers among them.
// levels: 0 2
#include <array>
#include <sycl/sycl.hpp>

#include "../check.hpp"

struct weights {
  std::array<float, 300> values;
  char mark;
  const int *table;
  double last;
};

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(64, queue);
  int *table = sycl::malloc_shared<int>(64, queue);
  weights w{};
  for (int i = 0; i < 300; ++i)
    w.values[i] = static_cast<float>(i) / 4;
  for (int i = 0; i < 64; ++i)
    table[i] = 3 * i;
  w.mark = 'x';
  w.table = table;
  w.last = 0.125;
  double expected = 0;
  for (int i = 0; i < 300; ++i)
    expected += w.values[i];
  queue
      .parallel_for(sycl::range<1>(64),
                    [=](sycl::id<1> id) {
                      double sum = 0;
                      for (int i = 0; i < 300; ++i)
                        sum += w.values[i];
                      out[id] = sum + w.mark + w.table[id] + w.last;
                    })
      .wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], expected + 'x' + 3 * i + 0.125);
  // With local memory behind the arguments.
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<double, 1> part(64, handler);
        handler.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> item) {
          const std::size_t i = item.get_local_id(0);
          part[i] = w.values[i] * w.table[i];
          sycl::group_barrier(item.get_group());
          double sum = 0;
          for (int k = 0; k < 300; ++k)
            sum += w.values[k];
          out[i] = part[63 - i] + sum + w.last;
        });
      })
      .wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], w.values[63 - i] * table[63 - i] + expected + 0.125);
  sycl::free(out, queue);
  sycl::free(table, queue);
  return pass();
}
