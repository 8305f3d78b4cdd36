// Captured values on which the kernel is specialised: the result is right for every value of a
// launch.
// levels: 0 2
#include "shapes.hpp"

namespace {

enum class mode : short { add, multiply };

struct settings {
  sycl::specialized<int> factor;
  int offset;
  sycl::AdaptiveCpp_jit::specialized<mode> how;
};

void check(sycl::queue &queue, int factor, int offset, mode how) {
  shared_array<int> out(queue, 33);
  const settings chosen{factor, offset, how};
  CHECK_EQUAL(chosen.factor + 0, factor);
  const sycl::specialized<float> half = 0.5f;
  queue.parallel_for(33, [=, out = out.get()](int i) {
    const int x = chosen.how == mode::add ? i + chosen.factor : i * chosen.factor;
    out[i] = x + chosen.offset + static_cast<int>(half * 4);
  });
  queue.wait();
  for (int i = 0; i < 33; ++i)
    CHECK_EQUAL(out[i], (how == mode::add ? i + factor : i * factor) + offset + 2);
}

} // namespace

int main() {
  sycl::queue queue;
  for (const int factor : {1, 2, -7, 2})
    for (const mode how : {mode::add, mode::multiply}) {
      check(queue, factor, 10, how);
      check(queue, factor, 11, how);
    }
  return pass();
}
