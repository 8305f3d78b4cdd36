// The order in which collectives of a group combine floating-point values depends on its size
// alone: not on the sub-groups, which are rows of as many lanes on a CPU. Sums have 16 parts, of
// items whose linear IDs differ by multiples of 16, joined by a tree; scans, minima and maxima have
// a tree for each 8 items that follow each other. docs/builtins.md promises that for the host.
// devices: host
#include "shapes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace {

constexpr std::size_t all_parts = 16, block = 8;

// Joins the 16 parts; a small group does not have all of them.
template <class T, class Operation> T sum_of(const std::vector<T> &x, Operation operation) {
  std::vector<T> parts(x.begin(), x.begin() + std::min(all_parts, x.size()));
  for (std::size_t i = all_parts; i < x.size(); ++i)
    parts[i % all_parts] = operation(parts[i % all_parts], x[i]);
  for (std::size_t step = all_parts / 2; step > 0; step /= 2)
    for (std::size_t i = 0; i < step; ++i)
      if (i + step < parts.size())
        parts[i] = operation(parts[i], parts[i + step]);
  return parts[0];
}

template <class T, class Operation> std::vector<T> scan_of(std::vector<T> x, Operation operation) {
  for (std::size_t step = 1; step < block; step *= 2)
    for (std::size_t i = 0; i < x.size(); ++i)
      if (i & step)
        x[i] = operation(x[i / step * step - 1], x[i]);
  for (std::size_t i = block; i < x.size(); ++i)
    x[i] = operation(x[i / block * block - 1], x[i]);
  return x;
}

// Equal bits, or two NaNs.
template <class T> bool is_same(T a, T b) {
  return a == b ? std::signbit(a) == std::signbit(b) : std::isnan(a) && std::isnan(b);
}

// Values whose sums are rounded, zeros of both signs, and some that are no numbers.
template <class T> T value(std::size_t i, bool numbers) {
  if (!numbers && i % 29 == 3)
    return std::numeric_limits<T>::quiet_NaN();
  const T x = T(i * 2654435761u % 1000) / T(7) * (i % 3 == 0 ? T(-1) : T(1)) + T(i % 97) * T(1e-4);
  return !numbers && i % 5 < 2 ? (i % 2 ? T(-0.0) : T(0)) : x;
}

constexpr int results = 6;

template <class T> struct outputs {
  T *all;
  std::size_t count;
  template <int D> void run(const sycl::nd_item<D> &item, T x, T factor) const {
    const auto group = item.get_group();
    const std::size_t at = position(item);
    all[at] = sycl::reduce_over_group(group, x, sycl::plus<T>());
    all[count + at] = sycl::reduce_over_group(group, factor, sycl::multiplies<T>());
    all[2 * count + at] = sycl::inclusive_scan_over_group(group, x, sycl::plus<T>());
    all[3 * count + at] = sycl::exclusive_scan_over_group(group, x, T(0.1), sycl::plus<T>());
  }
  template <int D> void run_minima(const sycl::nd_item<D> &item, T x) const {
    const auto group = item.get_group();
    const std::size_t at = position(item);
    all[4 * count + at] = sycl::reduce_over_group(group, x, sycl::minimum<T>());
    all[5 * count + at] = sycl::inclusive_scan_over_group(group, x, sycl::maximum<T>());
  }
};

template <class T> T factor(T x) { return T(1) + x / T(1024); }

template <class T> void check(const T *all, std::size_t count, std::size_t width) {
  const auto minimum = [](T a, T b) { return b < a ? b : a; };
  const auto maximum = [](T a, T b) { return a < b ? b : a; };
  const auto plus = [](T a, T b) { return a + b; };
  for (std::size_t first = 0; first < count; first += width) {
    std::vector<T> x(width), y(width), z(width);
    for (std::size_t i = 0; i < width; ++i) {
      x[i] = value<T>(first + i, true);
      y[i] = factor(x[i]);
      z[i] = value<T>(first + i, false);
    }
    const T sum = sum_of(x, plus), product = sum_of(y, [](T a, T b) { return a * b; });
    const std::vector<T> sums = scan_of(x, plus), minima = scan_of(z, minimum), maxima = scan_of(z, maximum);
    for (std::size_t i = 0; i < width; ++i) {
      CHECK(all[first + i] == sum);
      CHECK(all[count + first + i] == product);
      CHECK(all[2 * count + first + i] == sums[i]);
      CHECK(all[3 * count + first + i] == (i == 0 ? T(0.1) : T(0.1) + sums[i - 1]));
      CHECK(is_same(all[4 * count + first + i], minima.back()));
      CHECK(is_same(all[5 * count + first + i], maxima[i]));
    }
  }
}

// Rows as the translator chooses them.
template <class T, int D> void check_default(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size();
  shared_array<T> all(queue, results * count);
  const outputs<T> out{all.get(), count};
  queue
      .parallel_for(shape,
                    [=](sycl::nd_item<D> item) {
                      const T x = value<T>(position(item), true);
                      out.run(item, x, factor(x));
                    })
      .wait();
  queue
      .parallel_for(shape,
                    [=](sycl::nd_item<D> item) { out.run_minima(item, value<T>(position(item), false)); })
      .wait();
  check(all.get(), count, shape.get_local_range().size());
}

// Rows of a size.
template <class T, int Size, int D> void check_rows(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  const std::size_t count = shape.get_global_range().size();
  shared_array<T> all(queue, results * count);
  shared_array<int> sizes(queue, count);
  const outputs<T> out{all.get(), count};
  queue
      .parallel_for(shape,
                    [=, sizes = sizes.get()](sycl::nd_item<D> item) [[sycl::reqd_sub_group_size(Size)]] {
                      const T x = value<T>(position(item), true);
                      const auto row = item.get_sub_group();
                      sizes[position(item)] = sycl::group_broadcast(row, int(row.get_max_local_range()[0]));
                      out.run(item, x, factor(x));
                      out.run_minima(item, value<T>(position(item), false));
                    })
      .wait();
  CHECK_EQUAL(sizes[0], Size);
  check(all.get(), count, shape.get_local_range().size());
}

template <class T, int D> void check_all(sycl::queue &queue, const sycl::nd_range<D> &shape) {
  check_default<T>(queue, shape);
  check_rows<T, 4>(queue, shape);
  check_rows<T, 16>(queue, shape);
  check_rows<T, 64>(queue, shape);
#ifndef FEWER_INSTANCES
  check_rows<T, 8>(queue, shape);
  check_rows<T, 32>(queue, shape);
#endif
}

} // namespace

int main() {
  sycl::queue queue;
  for (std::size_t width : {1, 5, 16, 23, 72, 200, 1024})
    check_all<float>(queue, sycl::nd_range<1>(2 * width, width));
  check_all<float>(queue, sycl::nd_range<2>({6, 10}, {3, 10}));
  check_all<float>(queue, sycl::nd_range<3>({4, 3, 12}, {2, 3, 12}));
  check_all<double>(queue, sycl::nd_range<1>(200, 100));
  check_all<double>(queue, sycl::nd_range<2>({8, 32}, {8, 16}));
  return pass();
}
