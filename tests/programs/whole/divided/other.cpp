#include "work.hpp"

#include <utility>

static int helper(int x) { return x * x; }

SYCL_EXTERNAL int exported(int x) { return helper(x) + 7; }

template <int N> void launch(sycl::queue &queue, int *out) {
  queue.parallel_for(4, [=](int i) { out[i] = work<N + 100>(i); });
}

template <int... N> void launch_all(sycl::queue &queue, int *out, std::integer_sequence<int, N...>) {
  (launch<N>(queue, out), ...);
}

// Never called: its kernels make stage 1 divide this unit.
void many(sycl::queue &queue, int *out) { launch_all(queue, out, std::make_integer_sequence<int, 60>()); }
