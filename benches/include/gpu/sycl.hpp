// The device of Sinter's programs: memory, random inputs, poison, and the queue of the kernels.
//
// Without a GPU the programs run on the host device; tests check their results there.
#ifndef BENCHES_GPU_SYCL_HPP
#define BENCHES_GPU_SYCL_HPP

#include "compare.hpp"

#include <sycl/sycl.hpp>

namespace gpu {

// Math functions that both sides and the reference share.
namespace math {
using sycl::cos, sycl::erf, sycl::exp, sycl::fabs, sycl::floor, sycl::log, sycl::mul_hi, sycl::rint, sycl::sin,
    sycl::sqrt;
}

class sycl_device {
public:
  sycl_device()
      : queue(sycl::default_selector_v, sycl::property::queue::in_order()), counter(allocate<std::uint32_t>(3)) {}

  template <class T> T *allocate(std::size_t count) {
    T *memory = sycl::malloc_device<T>(count, queue);
    if (!memory) {
      std::fprintf(stderr, "no device memory for %zu bytes\n", count * sizeof(T));
      std::exit(1);
    }
    return memory;
  }
  template <class T> T *random(std::size_t count, std::uint32_t seed, T low, T high) {
    T *memory = allocate<T>(count);
    queue.parallel_for(sycl::range<1>(count),
                       [=](sycl::id<1> i) { memory[i] = random_real<T>(seed, i[0], low, high); });
    return memory;
  }
  std::uint32_t *random_words(std::size_t count, std::uint32_t seed) {
    std::uint32_t *memory = allocate<std::uint32_t>(count);
    queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { memory[i] = random_word(seed, i[0]); });
    return memory;
  }
  template <class T> void poison(T *memory, std::size_t count) { queue.memset(memory, 0xff, count * sizeof(T)); }
  template <class T> void clear(T *memory, std::size_t count) { queue.memset(memory, 0, count * sizeof(T)); }
  template <class T> void copy(T *to, const T *from, std::size_t count) { queue.memcpy(to, from, count * sizeof(T)); }
  // Number of elements that still hold the poison.
  template <class T> std::size_t poisoned(const T *memory, std::size_t count) {
    const std::size_t per = sizeof(T) / sizeof(std::uint32_t);
    const auto *words = reinterpret_cast<const std::uint32_t *>(memory);
    queue.memset(counter, 0, sizeof *counter);
    queue.parallel_for(sycl::range<1>(count), [=, counter = counter](sycl::id<1> i) {
      std::uint32_t all = ~0u;
      for (std::size_t k = 0; k < per; k++)
        all &= words[i[0] * per + k];
      if (all == ~0u)
        sycl::atomic_ref<std::uint32_t, sycl::memory_order::relaxed, sycl::memory_scope::device,
                         sycl::access::address_space::global_space>(*counter)
            .fetch_add(1u);
    });
    return read(counter, 1)[0];
  }
  template <class T> std::vector<T> read(const T *memory, std::size_t count) {
    std::vector<T> host(count);
    queue.memcpy(host.data(), memory, count * sizeof(T)).wait();
    return host;
  }
  template <class T> void write(T *memory, const std::vector<T> &host) {
    queue.memcpy(memory, host.data(), host.size() * sizeof(T)).wait();
  }
  template <class T> T *upload(const std::vector<T> &host) {
    T *memory = allocate<T>(host.size());
    write(memory, host);
    return memory;
  }
  // The work-group size that the runtime chooses for `body` over `range`, fastest dimension first.
  // It is read in a kernel with one store in addition to the body, since the size of the original
  // kernel is not visible from outside.
  template <int Dimensions, class F> std::string chosen_group(const sycl::range<Dimensions> &range, F body) {
    queue.parallel_for(range, [=, sizes = counter](sycl::id<Dimensions> i) {
      body(i);
      if (i == sycl::id<Dimensions>())
        for (int d = 0; d < Dimensions; d++)
          sizes[d] = std::uint32_t(sycl::detail::local_size(d));
    });
    std::string text;
    for (const std::uint32_t size : read(counter, Dimensions))
      text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
  }
  void wait() { queue.wait_and_throw(); }
  std::string name() const { return queue.get_device().get_info<sycl::info::device::name>(); }
  bool is_gpu() const { return queue.get_device().is_gpu(); }

  sycl::queue queue;

private:
  std::uint32_t *counter;
};

} // namespace gpu

#endif
