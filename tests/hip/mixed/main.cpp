// A program of units in SYCL, HIP and with parallel algorithms of ISO C++, which share memory.
#include <cstdio>
#include <numeric>
#include <vector>

void add_in_sycl(int *values, int count, int by);
void add_in_hip(int *values, int count, int by);
void add_in_cuda(int *values, int count, int by);
void add_with_algorithms(std::vector<int> &values, int by);
int *allocate(int count);
void release(int *values);

int main() {
  const int count = 1000;
  int *values = allocate(count);
  if (!values)
    return std::puts("no memory"), 1;
  std::iota(values, values + count, 0);
  add_in_hip(values, count, 1);
  add_in_sycl(values, count, 10);
  add_in_cuda(values, count, 100);
  add_in_sycl(values, count, 1000);
  std::vector<int> copy(values, values + count);
  add_with_algorithms(copy, 10000);
  for (int i = 0; i < count; ++i)
    if (copy[i] != i + 11111)
      return std::printf("%d: %d\n", i, copy[i]), 1;
  release(values);
  std::puts("PASS");
}
