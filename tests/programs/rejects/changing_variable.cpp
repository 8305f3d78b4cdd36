// error: changing_variable.cpp:12
#include <sycl/sycl.hpp>

int scale = 3;

int main() {
  sycl::queue queue;
  int *out = sycl::malloc_shared<int>(1, queue);
  scale = 5;
  queue
      .single_task([=] {
        *out = scale;
      })
      .wait();
}
