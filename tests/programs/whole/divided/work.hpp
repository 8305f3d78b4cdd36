#include <sycl/sycl.hpp>

template <int N> int work(int x) {
  int sum = N;
  for (int i = 0; i < x + N; ++i)
    sum = sum * 3 + (i ^ N);
  return sum;
}
