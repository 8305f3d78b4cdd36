// Shared by tests of control flow: a function in a kernel beside the same on the host.
#ifndef TESTS_KERNELS_SAME_ON_HOST_HPP
#define TESTS_KERNELS_SAME_ON_HOST_HPP

#include <sycl/sycl.hpp>

#include "../check.hpp"

// Compares `function` for a thousand numbers.
template <class Function> void same_on_host(Function function) {
  sycl::queue queue;
  constexpr unsigned size = 1000;
  unsigned *data = sycl::malloc_shared<unsigned>(size, queue);
  for (unsigned i = 0; i < size; ++i)
    data[i] = i * 2654435761u;
  queue.parallel_for(sycl::range<1>(size), [=](sycl::id<1> i) { data[i] = function(data[i]); }).wait();
  for (unsigned i = 0; i < size; ++i)
    CHECK_EQUAL(data[i], function(i * 2654435761u));
  sycl::free(data, queue);
}

#endif
