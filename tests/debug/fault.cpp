// A kernel that reads through a null pointer, behind a barrier where the argument is "barrier". The
// tests know these lines.
#include <sycl/sycl.hpp>
#include <cstring>

static float read_missing(const float *missing, std::size_t i) {
  return missing[i] * 2.0f; // FAULT
}

int main(int argc, char **argv) {
  sycl::queue queue;
  float *values = sycl::malloc_shared<float>(256, queue);
  const float *missing = nullptr;
  if (argc > 1 && std::strcmp(argv[1], "barrier") == 0) {
    queue.submit([&](sycl::handler &handler) {
      sycl::local_accessor<float, 1> tile(64, handler);
      handler.parallel_for(sycl::nd_range<1>{256, 64}, [=](sycl::nd_item<1> item) {
        tile[item.get_local_id(0)] = static_cast<float>(item.get_global_id(0));
        sycl::group_barrier(item.get_group());
        tile[item.get_local_id(0)] *= tile[63 - item.get_local_id(0)];
        sycl::group_barrier(item.get_group());
        values[item.get_global_id(0)] = read_missing(missing, item.get_global_id(0)); // BARRIER
      });
    }).wait();
  } else {
    queue.parallel_for(sycl::range<1>{256}, [=](sycl::id<1> i) {
      values[i] = read_missing(missing, i); // RANGE
    }).wait();
  }
  sycl::free(values, queue);
}
