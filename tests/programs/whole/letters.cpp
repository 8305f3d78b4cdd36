// User macros named by single capital letters, defined before the headers: the headers use no such
// names.
// levels: 0 2
#define A 1
#define B 1
#define C 1
#define D 1
#define E 1
#define F 1
#define G 1
#define H 1
#define I 1
#define J 1
#define K 1
#define L 1
#define M 1
#define N 1
#define O 1
#define P 1
#define Q 1
#define R 1
#define S 1
#define T 1
#define U 1
#define V 1
#define W 1
#define X 1
#define Y 1
#define Z 1
#include <CL/sycl.hpp>
#include <sinter/kernel.hpp>
#include <sycl/sycl.hpp>

#include "../check.hpp"

int main() {
  sycl::queue queue;
  int *sum = sycl::malloc_shared<int>(1, queue);
  *sum = 0;
  queue
      .submit([&](sycl::handler &handler) {
        sycl::local_accessor<int, 1> local(sycl::range<1>(16), handler);
        handler.parallel_for(sycl::nd_range<1>(64, 16), sycl::reduction(sum, sycl::plus<int>()),
                             [=](sycl::nd_item<1> item, auto &total) {
                               const std::size_t id = item.get_local_id(0);
                               local[id] = static_cast<int>(id);
                               sycl::group_barrier(item.get_group());
                               const sycl::vec<int, 2> both(local[15 - id], 1);
                               total += both.x() + both.y() + (sycl::all_of_group(item.get_group(), true) ? A : 0);
                             });
      })
      .wait();
  CHECK_EQUAL(*sum, 4 * (120 + 16 + 16));
  sycl::free(sum, queue);
  return pass();
}
