// The same with Thrust, which comes with CUDA, in memory of the GPU.
//
// Argument: the number of elements.
#include "timing.hpp"

#include <cstdlib>
#include <thrust/copy.h>
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/find.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

struct Mixed {
  __device__ float operator()(std::uint32_t x) const { return mixed(x); }
};
struct Twice {
  __device__ float operator()(float x) const { return 2 * x + 1; }
};
struct IsLarge {
  __device__ bool operator()(float x) const { return x > 0.5f; }
};
struct Less {
  __host__ __device__ bool operator()(float x, float y) const { return x < y; }
};

int main(int, char **arguments) {
  const std::size_t n = std::strtoull(arguments[1], nullptr, 10);
  thrust::device_vector<float> a(n), b(n), c(n);
  const thrust::counting_iterator<std::uint32_t> numbers(0);
  thrust::transform(numbers, numbers + n, a.begin(), Mixed());
  const double bytes = 4.0 * static_cast<double>(n);
  const auto half = static_cast<std::ptrdiff_t>(n / 2);
  double kept = 0;
  const auto wait = [] { cudaDeviceSynchronize(); };
  row("fill, 1 element", 0, [&] { thrust::fill(b.begin(), b.begin() + 1, 0.0f), wait(); }, 100);
  row("copy", 2 * bytes, [&] { thrust::copy(a.begin(), a.end(), c.begin()), wait(); });
  row("transform", 2 * bytes, [&] { thrust::transform(a.begin(), a.end(), b.begin(), Twice()), wait(); });
  row("reduce, 1000 elements", 0, [&] { kept = thrust::reduce(a.begin(), a.begin() + 1000, 0.0f); }, 50);
  row("reduce", bytes, [&] { kept = thrust::reduce(a.begin(), a.end(), 0.0f); });
  row("transform_reduce of two", 2 * bytes,
      [&] { kept = thrust::inner_product(a.begin(), a.end(), b.begin(), 0.0f); });
  row("inclusive_scan", 2 * bytes, [&] { thrust::inclusive_scan(a.begin(), a.end(), b.begin()), wait(); });
  row("exclusive_scan", 2 * bytes, [&] { thrust::exclusive_scan(a.begin(), a.end(), b.begin(), 0.0f), wait(); });
  row("min_element", bytes, [&] { kept = thrust::min_element(a.begin(), a.end()) - a.begin(); });
  row("count_if", bytes, [&] { kept = thrust::count_if(a.begin(), a.end(), IsLarge()); });
  row("copy_if, half of all", 1.5 * bytes,
      [&] { kept = thrust::copy_if(a.begin(), a.end(), c.begin(), IsLarge()) - c.begin(); });
  row("find, absent", bytes, [&] { kept = thrust::find(a.begin(), a.end(), 3.0f) - a.begin(); });
  const auto copy = [&] { thrust::copy(a.begin(), a.end(), c.begin()); };
  row("copy and sort", bytes, [&] { copy(), thrust::sort(c.begin(), c.end()), wait(); }, 8);
  row("copy and sort by a lambda", bytes, [&] { copy(), thrust::sort(c.begin(), c.end(), Less()), wait(); }, 6);
  row("merge of halves", 2 * bytes,
      [&] { thrust::merge(c.begin(), c.begin() + half, c.begin() + half, c.end(), b.begin()), wait(); });
  const auto middle = c.begin() + half, first = c.begin() + half / 2, last = first + half;
  row("set_union", 2.75 * bytes / 2,
      [&] { kept = thrust::set_union(c.begin(), middle, first, last, b.begin()) - b.begin(); });
  row("set_intersection", 2.5 * bytes / 2,
      [&] { kept = thrust::set_intersection(c.begin(), middle, first, last, b.begin()) - b.begin(); });
  return kept >= 0 ? 0 : 1;
}
