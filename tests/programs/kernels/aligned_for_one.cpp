// One work-item of sixteen reads and writes what only its own address is aligned for.
#include <sycl/sycl.hpp>

#include "../check.hpp"

constexpr int count = 1024, lanes = 16;
typedef float aligned __attribute__((vector_size(lanes * sizeof(float))));

int main() {
  sycl::queue queue;
  float *const in = sycl::aligned_alloc_shared<float>(sizeof(aligned), count, queue);
  float *const out = sycl::malloc_shared<float>(count, queue);
  float *const copy = sycl::aligned_alloc_shared<float>(sizeof(aligned), count, queue);
  for (int i = 0; i < count; ++i) {
    in[i] = static_cast<float>(i);
    out[i] = copy[i] = -1;
  }
  for (int chosen : {0, 1, 5, 15}) {
    queue
        .parallel_for(sycl::nd_range<1>(count, 64),
                      [=](sycl::nd_item<1> item) {
                        const int i = static_cast<int>(item.get_global_id(0));
                        int rounds = 0;
                        for (float x = in[i]; x < 5000.0f; x = x * 1.5f + 1.0f)
                          ++rounds;
                        if (i % lanes == chosen) {
                          const aligned read = *reinterpret_cast<const aligned *>(in + i - chosen);
                          float sum = 0;
                          for (int k = 0; k < lanes; ++k)
                            sum += read[k];
                          *reinterpret_cast<aligned *>(copy + i - chosen) = read;
                          out[i] = sum;
                        } else {
                          out[i] = static_cast<float>(rounds);
                        }
                      })
        .wait();
    for (int i = 0; i < count; ++i) {
      int rounds = 0;
      for (float x = in[i]; x < 5000.0f; x = x * 1.5f + 1.0f)
        ++rounds;
      const int first = i - chosen;
      const float sum = static_cast<float>(lanes * first + lanes * (lanes - 1) / 2);
      CHECK(out[i] == (i % lanes == chosen ? sum : static_cast<float>(rounds)));
      CHECK(copy[i] == in[i]);
      copy[i] = -1;
    }
  }
  sycl::free(copy, queue);
  sycl::free(out, queue);
  sycl::free(in, queue);
  return pass();
}
