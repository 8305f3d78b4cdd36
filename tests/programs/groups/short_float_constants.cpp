// half and bfloat16 as specialization constants and as values that a kernel is specialised for.
// levels: 0 2
#include <sycl/sycl.hpp>

#include "../check.hpp"

using sycl::half;
using sycl::ext::oneapi::bfloat16;

constexpr sycl::specialization_id<half> factor(half(1.5f));
constexpr sycl::specialization_id<bfloat16> offset(2.0f);

int main() {
  sycl::queue queue;
  half *out = sycl::malloc_shared<half>(4, queue);
  for (int round = 1; round <= 2; ++round) {
    const sycl::specialized<half> first = half(round);
    const sycl::specialized<bfloat16> second = bfloat16(round * 5);
    queue.submit([&](sycl::handler &handler) {
      if (round == 2)
        handler.set_specialization_constant<factor>(half(4));
      handler.single_task([=](sycl::kernel_handler constants) {
        out[0] = constants.get_specialization_constant<factor>() * first;
        out[1] = half(constants.get_specialization_constant<offset>());
        out[2] = half(bfloat16(second));
      });
    }).wait();
    CHECK(out[0] == (round == 1 ? 1.5f : 8.0f) && out[1] == 2 && out[2] == round * 5);
  }
  sycl::free(out, queue);
  return pass();
}
