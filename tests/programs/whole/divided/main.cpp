// Translation units with several images: every kernel, its imports, and its constants.
// sources: other.cpp
// levels: 0 2
#include "work.hpp"

#include <utility>

#include "../../check.hpp"

SYCL_EXTERNAL int exported(int x);

namespace {

constexpr sycl::specialization_id<int> factor(3);
constexpr sycl::specialization_id<int> read_by_none(5);

template <int N> void check(sycl::queue &queue, int *out) {
  queue.parallel_for(4, [=](int i) { out[i] = work<N>(i); }).wait();
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(out[i], work<N>(i));
}

template <int... N> void check_all(sycl::queue &queue, int *out, std::integer_sequence<int, N...>) {
  (check<N>(queue, out), ...);
}

// A launch may set constants that its kernel does not read, and that only kernels of other images
// read.
void check_constants(sycl::queue &queue, int *out) {
  queue.submit([&](sycl::handler &commands) {
    commands.set_specialization_constant<factor>(7);
    commands.set_specialization_constant<read_by_none>(8);
    commands.single_task([=](sycl::kernel_handler constants) {
      out[0] = constants.get_specialization_constant<factor>();
    });
  });
  queue.wait();
  CHECK_EQUAL(out[0], 7);
  queue.submit([&](sycl::handler &commands) {
    commands.set_specialization_constant<factor>(7);
    commands.set_specialization_constant<read_by_none>(8);
    commands.single_task([=] { out[0] = 1; });
  });
  queue.wait();
  CHECK_EQUAL(out[0], 1);
}

} // namespace

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(4, queue);
  check_all(queue, out, std::make_integer_sequence<int, 60>());
  check_constants(queue, out);
  queue.parallel_for(4, [=](int i) { out[i] = exported(i); }).wait();
  for (int i = 0; i < 4; ++i)
    CHECK_EQUAL(out[i], exported(i));
  sycl::free(out, queue);
  return pass();
}
