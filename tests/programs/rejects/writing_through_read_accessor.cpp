// error: cannot assign to return value because function 'operator[]<1, 0>' returns a const value
#include <sycl/sycl.hpp>

int main() {
  sycl::queue queue;
  sycl::buffer<int> buffer{sycl::range<1>(1)};
  queue.submit([&](sycl::handler &handler) {
    sycl::accessor elements(buffer, handler, sycl::read_only);
    handler.single_task([=] { elements[0] = 1; });
  });
}
