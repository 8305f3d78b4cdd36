// The functions of the C library that take absolute values of integers and divide them, by their
// own names: without builtins of the compiler the calls stay calls.
// levels: 0 2
// options: -fno-builtin
#include "../check.hpp"
#include <sycl/sycl.hpp>

#include <cinttypes>
#include <cstdlib>

int main() {
  sycl::queue queue;
  long long *in = sycl::malloc_shared<long long>(2, queue);
  long long *out = sycl::malloc_shared<long long>(12, queue);
  in[0] = -7000000001;
  in[1] = 2;
  queue
      .single_task([=] {
        const int narrow = static_cast<int>(in[0] % 100); // -1
        out[0] = abs(narrow);
        out[1] = labs(in[0]);
        out[2] = llabs(in[0]);
        out[3] = imaxabs(in[0]);
        const std::div_t of_int = div(narrow * 7, static_cast<int>(in[1]));
        out[4] = of_int.quot;
        out[5] = of_int.rem;
        const std::ldiv_t of_long = ldiv(in[0], in[1]);
        out[6] = of_long.quot;
        out[7] = of_long.rem;
        const std::lldiv_t of_long_long = lldiv(in[0], in[1]);
        out[8] = of_long_long.quot;
        out[9] = of_long_long.rem;
        out[10] = imaxdiv(in[0], in[1]).quot;
        out[11] = imaxdiv(in[0], in[1]).rem;
      })
      .wait();
  const long long expected[] = {1,          7000000001, 7000000001, 7000000001, -3,          -1,
                                -3500000000, -1,         -3500000000, -1,         -3500000000, -1};
  for (int i = 0; i < 12; ++i)
    CHECK_EQUAL(out[i], expected[i]);
  sycl::free(in, queue);
  sycl::free(out, queue);
  return pass();
}
