// A translation unit with KERNELS kernels, one of which is launched.
//
// `start` does nothing: the harness times the process. `first` launches the kernel with the given
// number for the first time. The cache folder that the harness passes decides between a cold launch
// and a disk hit; the printed counters prove which it was.
#include "counters.hpp"
#include "report.hpp"

#include <sinter/kernel.hpp>

#include <utility>

#ifndef KERNELS
#error "define KERNELS, the number of kernels"
#endif

extern "C" void __sinter_bind_kernel(const void *entry, void *slot);

namespace {

constexpr std::size_t elements = 16;

struct Arguments {
  float *out;
  const float *in;
  std::uint64_t n;
};

// A separate helper for each kernel, in addition to the shared ones.
template <int N> float scaled(float value, std::uint64_t times) {
  for (std::uint64_t i = 0; i < times; i++)
    value = value * 0.5f + float(N);
  return value;
}

template <int N> __attribute__((annotate("sinter_kernel"))) void entry(const Arguments &block) {
  __attribute__((annotate("sinter_closure"))) Arguments k = block;
  const std::size_t i = sinter::global_id();
  if (i < k.n)
    k.out[i] = scaled<N>(k.in[i], k.n);
}

template <int N> const sinter_kernel *descriptor() {
  const sinter_kernel *kernel = nullptr;
  __sinter_bind_kernel((const void *)&entry<N>, &kernel);
  return kernel;
}

using Descriptor = const sinter_kernel *(*)();

template <int... N> Descriptor nth(std::size_t index, std::integer_sequence<int, N...>) {
  static constexpr Descriptor all[] = {&descriptor<N>...};
  return all[index];
}

void require(sinter_status status) {
  if (status == SINTER_SUCCESS)
    return;
  std::fprintf(stderr, "%s\n", sinter_last_error());
  std::exit(1);
}

void launch(sinter_queue *queue, const sinter_kernel *kernel, const Arguments &arguments) {
  sinter_launch size = {};
  size.struct_size = sizeof size;
  size.dimensions = 1;
  size.global_size[0] = elements;
  size.global_size[1] = size.global_size[2] = 1;
  require(sinter_queue_launch(queue, kernel, &arguments, sizeof arguments, &size, nullptr));
  require(sinter_queue_wait_all(queue));
}

bool correct(const float *out, std::size_t number) {
  float expected = 1;
  for (std::size_t i = 0; i < elements; i++)
    expected = expected * 0.5f + float(number);
  for (std::size_t i = 0; i < elements; i++)
    if (out[i] < expected * 0.999f || out[i] > expected * 1.001f)
      return false;
  return true;
}

int first(std::size_t number) {
  float in[elements], out[elements] = {};
  for (float &value : in)
    value = 1;
  sinter_queue *queue = nullptr;
  require(sinter_queue_create(0, &queue));
  const sinter_kernel *kernel = nth(number, std::make_integer_sequence<int, KERNELS>())();
  const Arguments arguments = {out, in, elements};
  const double before = bench::peak_resident_kib();
  const double seconds = bench::seconds([&] { launch(queue, kernel, arguments); });
  const bool verified = correct(out, number);
  const sinter_statistics counters = bench::counters();
  bench::emit("first", "s", {seconds}, verified);
  bench::emit("repeat", "s", {bench::seconds([&] { launch(queue, kernel, arguments); })}, verified);
  bench::emit("translated", "kernels", {double(counters.translated)});
  bench::emit("disk_hits", "kernels", {double(counters.disk_hits)});
  bench::emit("translate", "s", {double(counters.translate_nanoseconds) * 1e-9});
  bench::emit("peak", "KiB", {bench::peak_resident_kib()});
  bench::emit("grown", "KiB", {bench::peak_resident_kib() - before});
  require(sinter_queue_destroy(queue));
  return verified ? 0 : 1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "start") == 0)
    return 0;
  // The number is an argument, so that the descriptors of all kernels stay in the program.
  if (argc == 3 && std::strcmp(argv[1], "first") == 0)
    return first(bench::positive(argv[2], "KERNEL") % KERNELS);
  std::fprintf(stderr, "usage: %s start | first KERNEL\n", argv[0]);
  return 2;
}
