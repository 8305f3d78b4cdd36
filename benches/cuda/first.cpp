// The first launch of a small kernel in this process, in parts, beside peers/first.cu.
//
// The cache folder that the harness passes decides between a cold launch and a disk hit; the
// printed counters prove which it was. `context` is the time before the first launch:
// initialisation of the driver and of the queue.
#include "counters.hpp"
#include "report.hpp"

#include <sycl/sycl.hpp>

namespace {

constexpr std::size_t elements = 1024, repeats = 101;

void triad(sycl::queue &queue, double *a, const double *b, const double *c) {
  queue.parallel_for(sycl::range<1>(elements), [=](sycl::id<1> i) { a[i] = b[i] + 0.4 * c[i]; });
  queue.wait_and_throw();
}

} // namespace

int main() {
  const double start = bench::now();
  sycl::queue queue(sycl::default_selector_v, sycl::property::queue::in_order());
  double *a = sycl::malloc_device<double>(3 * elements, queue), *b = a + elements, *c = b + elements;
  std::vector<double> host(3 * elements);
  for (std::size_t i = 0; i < host.size(); i++)
    host[i] = double(i % elements) - 7;
  queue.memcpy(a, host.data(), host.size() * sizeof(double)).wait();
  const double ready = bench::now();
  triad(queue, a, b, c);
  const double done = bench::now();
  std::vector<double> repeat;
  for (std::size_t i = 0; i < repeats; i++)
    repeat.push_back(bench::seconds([&] { triad(queue, a, b, c); }));
  queue.memcpy(host.data(), a, host.size() * sizeof(double)).wait();
  bool verified = true;
  for (std::size_t i = 0; i < elements; i++) {
    const double wanted = host[i + elements] + 0.4 * host[i + 2 * elements];
    verified = verified && host[i] <= wanted + 1e-9 && host[i] >= wanted - 1e-9;
  }
  const sinter_statistics counters = bench::counters();
  bench::emit("context", "s", {ready - start});
  bench::emit("first", "s", {done - ready}, verified);
  bench::emit("repeat", "s", repeat, verified);
  bench::emit("translated", "kernels", {double(counters.translated)});
  bench::emit("disk_hits", "kernels", {double(counters.disk_hits)});
  bench::emit("translate", "s", {double(counters.translate_nanoseconds) * 1e-9});
  bench::emit("assemble", "s", {double(counters.assemble_nanoseconds) * 1e-9});
  bench::emit("load", "s", {double(counters.load_nanoseconds) * 1e-9});
  return verified ? 0 : 1;
}
