#pragma once
#include <sycl/sycl.hpp>

#include <utility>

constexpr int kernels = 12, size = 300;

// Two programs that include this have kernels of different names.
namespace KERNELS_OF {

template <int Number> unsigned step(unsigned old, unsigned i, unsigned round) {
  unsigned sum = round;
  for (unsigned k = 0; k < Number % 7 + 3; ++k)
    sum = sum * 31 + k * Number + i;
  return old * 3 + sum;
}

// The number of the round is part of the code, so that each round needs other code.
template <int Number> void launch(sycl::queue &queue, unsigned *out, unsigned number) {
  const sycl::specialized<unsigned> round = number;
  queue.parallel_for(sycl::range<1>(size),
                     [=](sycl::id<1> i) { out[i] = step<Number>(out[i], static_cast<unsigned>(i[0]), round); });
}

template <int... Numbers>
void launch_all(sycl::queue &queue, unsigned *out, unsigned round, std::integer_sequence<int, Numbers...>) {
  (launch<Numbers>(queue, out, round), ...);
}

template <int... Numbers> unsigned expected(unsigned i, unsigned round, std::integer_sequence<int, Numbers...>) {
  unsigned value = 0;
  ((value = step<Numbers>(value, i, round)), ...);
  return value;
}

// Launches all kernels and returns the number of wrong results.
inline int failures(unsigned round) {
  constexpr auto all = std::make_integer_sequence<int, kernels>();
  sycl::queue queue{sycl::property::queue::in_order()};
  unsigned *out = sycl::malloc_shared<unsigned>(size, queue);
  queue.memset(out, 0, size * sizeof(unsigned));
  launch_all(queue, out, round, all);
  queue.wait();
  int count = 0;
  for (unsigned i = 0; i < size; ++i)
    count += out[i] != expected(i, round, all);
  sycl::free(out, queue);
  return count;
}

} // namespace KERNELS_OF
