// Parallel algorithms of ISO C++ on floats in memory that the GPU shares.
//
// Argument: the number of elements.
#include "timing.hpp"

#include <cstdlib>
#include <execution>
#include <numeric>

int main(int, char **arguments) {
  const std::size_t n = std::strtoull(arguments[1], nullptr, 10);
  const auto par = std::execution::par_unseq;
  std::vector<float> a(n), b(n), c(n);
  float *const pa = a.data(), *const pb = b.data(), *const pc = c.data();
  std::for_each_n(par, pa, n, [=](float &x) { x = mixed(static_cast<std::uint32_t>(&x - pa)); });
  std::fill(par, pb, pb + n, 0.0f), std::fill(par, pc, pc + n, 0.0f);
  const double bytes = 4.0 * static_cast<double>(n);
  double kept = 0;
  row("fill, 1 element", 0, [&] { std::fill(par, pb, pb + 1, 0.0f); }, 100);
  row("copy", 2 * bytes, [&] { std::copy(par, pa, pa + n, pc); });
  row("transform", 2 * bytes, [&] { std::transform(par, pa, pa + n, pb, [](float x) { return 2 * x + 1; }); });
  row("reduce, 1000 elements", 0, [&] { kept = std::reduce(par, pa, pa + 1000, 0.0f); }, 50);
  row("reduce", bytes, [&] { kept = std::reduce(par, pa, pa + n, 0.0f); });
  row("transform_reduce of two", 2 * bytes, [&] { kept = std::transform_reduce(par, pa, pa + n, pb, 0.0f); });
  row("inclusive_scan", 2 * bytes, [&] { std::inclusive_scan(par, pa, pa + n, pb); });
  row("exclusive_scan", 2 * bytes, [&] { std::exclusive_scan(par, pa, pa + n, pb, 0.0f); });
  row("min_element", bytes, [&] { kept = std::min_element(par, pa, pa + n) - pa; });
  row("count_if", bytes, [&] { kept = std::count_if(par, pa, pa + n, [](float x) { return x > 0.5f; }); });
  row("copy_if, half of all", 1.5 * bytes,
      [&] { kept = std::copy_if(par, pa, pa + n, pc, [](float x) { return x > 0.5f; }) - pc; });
  row("find, absent", bytes, [&] { kept = std::find(par, pa, pa + n, 3.0f) - pa; });
  row("copy and sort", bytes, [&] { std::copy(par, pa, pa + n, pc), std::sort(par, pc, pc + n); }, 8);
  const auto less = [](float x, float y) { return x < y; };
  row("copy and sort by a lambda", bytes, [&] { std::copy(par, pa, pa + n, pc), std::sort(par, pc, pc + n, less); }, 6);
  row("merge of halves", 2 * bytes, [&] { std::merge(par, pc, pc + n / 2, pc + n / 2, pc + n, pb); });
  // Half of the elements of each are in the other one too.
  float *const middle = pc + n / 2, *const first = pc + n / 4, *const last = first + n / 2;
  row("set_union", 2.75 * bytes / 2, [&] { kept = std::set_union(par, pc, middle, first, last, pb) - pb; });
  row("set_intersection", 2.5 * bytes / 2,
      [&] { kept = std::set_intersection(par, pc, middle, first, last, pb) - pb; });
  return std::is_sorted(par, pc, pc + n) && kept >= 0 ? 0 : 1;
}
