// The first launch of a small kernel in this process, and later ones.
//
// The cache folder that the harness passes decides between a cold launch and a disk hit; the
// printed counters prove which it was.
#include "counters.hpp"
#include "report.hpp"

#include <sycl/sycl.hpp>

namespace {

constexpr std::size_t elements = 1024;
constexpr std::size_t repeats = 101;

void add(sycl::queue &queue, const double *a, const double *b, double *sum) {
  queue.parallel_for(sycl::range<1>(elements), [=](sycl::id<1> i) { sum[i] = a[i] + b[i]; });
  queue.wait_and_throw();
}

bool correct(const double *sum) {
  for (std::size_t i = 0; i < elements; i++)
    if (sum[i] != 3.0 * double(i))
      return false;
  return true;
}

void report_process() {
  const sinter_statistics counters = bench::counters();
  bench::emit("translated", "kernels", {double(counters.translated)});
  bench::emit("disk_hits", "kernels", {double(counters.disk_hits)});
  bench::emit("translate", "s", {double(counters.translate_nanoseconds) * 1e-9});
  bench::emit("load", "s", {double(counters.load_nanoseconds) * 1e-9});
  bench::emit("peak", "KiB", {bench::peak_resident_kib()});
  bench::emit("llvm_mapped", "bool", {bench::is_mapped("libLLVM")});
  bench::emit("translator_mapped", "bool", {bench::is_mapped("libsinter_translate")});
}

} // namespace

int main() {
  sycl::queue queue(sycl::cpu_selector_v, sycl::property::queue::in_order());
  double *a = sycl::malloc_shared<double>(elements, queue);
  double *b = sycl::malloc_shared<double>(elements, queue);
  double *sum = sycl::malloc_shared<double>(elements, queue);
  for (std::size_t i = 0; i < elements; i++) {
    a[i] = double(i);
    b[i] = 2.0 * double(i);
    sum[i] = -1;
  }
  const double first = bench::seconds([&] { add(queue, a, b, sum); });
  bool verified = correct(sum);
  std::vector<double> repeat;
  for (std::size_t i = 0; i < repeats; i++)
    repeat.push_back(bench::seconds([&] { add(queue, a, b, sum); }));
  verified = verified && correct(sum);
  bench::emit("first", "s", {first}, verified);
  bench::emit("repeat", "s", repeat, verified);
  report_process();
  sycl::free(a, queue);
  sycl::free(b, queue);
  sycl::free(sum, queue);
  return verified ? 0 : 1;
}
