// Device functions that units import from each other, in both directions and through the kernel's
// own unit.
// sources: first.cpp second.cpp
// levels: 0 2
// needs: recursion
#include "functions.hpp"

#include "../../check.hpp"

static const int table[] = {27, 28, 29};
static int helper(int x) { return x - table[x % 3]; }

SYCL_EXTERNAL int back_in_main(int x) { return helper(x) + through_second(x) + in_every_unit(x); }

SYCL_EXTERNAL int scaled(int x, const sycl::kernel_handler &constants) {
  return x * constants.get_specialization_constant<scale>();
}

static void check_chain(sycl::queue &queue, int *out) {
  queue.parallel_for(64, [=](int i) { out[i] = through_first(i); }).wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], through_first(i));
  // Calls functions of the kernel's own unit as well.
  queue.parallel_for(64, [=](int i) { out[i] = helper(i) + in_every_unit(i) + twice(i) + through_first(i); }).wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], helper(i) + in_every_unit(i) + twice(i) + through_first(i));
}

static void check_recursion(sycl::queue &queue, int *out) {
  queue.parallel_for(64, [=](int i) { out[i] = count_in_first(i); }).wait();
  for (int i = 0; i < 64; ++i)
    CHECK_EQUAL(out[i], i);
}

static void check_constants(sycl::queue &queue, int *out) {
  for (int value : {5, 11}) {
    queue.submit([&](sycl::handler &handler) {
      if (value != 5)
        handler.set_specialization_constant<scale>(value);
      handler.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i, sycl::kernel_handler constants) {
        const int x = static_cast<int>(i[0]);
        out[i] = scaled_through_first(x, constants) + constants.get_specialization_constant<scale>();
      });
    });
    queue.wait();
    for (int i = 0; i < 64; ++i)
      CHECK_EQUAL(out[i], (i + 2) * value);
  }
}

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(64, queue);
  check_chain(queue, out);
  check_recursion(queue, out);
  check_constants(queue, out);
  sycl::free(out, queue);
  return pass();
}
