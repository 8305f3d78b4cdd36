// copy, mul, add, triad and dot in SYCL 2020, beside peers/stream.cu.
#include "gpu/stream.hpp"
#include "gpu/sycl.hpp"

namespace {

using gpu::stream::scalar;
using data = gpu::stream::arrays<gpu::sycl_device>;

auto copy(const data &d) {
  return [a = d.a, c = d.c](std::size_t i) { c[i] = a[i]; };
}
auto mul(const data &d) {
  return [a = d.a, c = d.c](std::size_t i) { c[i] = scalar * a[i]; };
}
auto add(const data &d) {
  return [a = d.a, b = d.b, c = d.c](std::size_t i) { c[i] = a[i] + b[i]; };
}
auto triad(const data &d) {
  return [a = d.a, b = d.b, c = d.c](std::size_t i) { c[i] = a[i] + scalar * b[i]; };
}

class kernels {
public:
  static constexpr bool has_library = false;

  explicit kernels(gpu::sycl_device &on) : device(on), queue(on.queue) {}

  void plain(const data &d) { queue.memcpy(d.c, d.a, d.count * sizeof(double)); }
  void copy_range(const data &d) { range(d, copy(d)); }
  void mul_range(const data &d) { range(d, mul(d)); }
  void add_range(const data &d) { range(d, add(d)); }
  void triad_range(const data &d) { range(d, triad(d)); }
  void copy_groups(const data &d) { groups(d, copy(d)); }
  void mul_groups(const data &d) { groups(d, mul(d)); }
  void add_groups(const data &d) { groups(d, add(d)); }
  void triad_groups(const data &d) { groups(d, triad(d)); }
  std::string copy_chosen(const data &d) { return chosen(d, copy(d)); }
  std::string mul_chosen(const data &d) { return chosen(d, mul(d)); }
  std::string add_chosen(const data &d) { return chosen(d, add(d)); }
  std::string triad_chosen(const data &d) { return chosen(d, triad(d)); }
  void dot(const data &d) {
    queue.submit([&](sycl::handler &group) {
      const sycl::property_list fresh{sycl::property::reduction::initialize_to_identity()};
      group.parallel_for(sycl::range<1>(d.count), sycl::reduction(d.sum, sycl::plus<double>(), fresh),
                         [a = d.a, b = d.b](sycl::id<1> i, auto &sum) { sum += a[i] * b[i]; });
    });
  }

private:
  template <class F> void range(const data &d, F one) {
    queue.parallel_for(sycl::range<1>(d.count), [one](sycl::id<1> i) { one(i[0]); });
  }
  template <class F> std::string chosen(const data &d, F one) {
    return device.chosen_group(sycl::range<1>(d.count), [one](sycl::id<1> i) { one(i[0]); });
  }
  template <class F> void groups(const data &d, F one) {
    queue.parallel_for(sycl::nd_range<1>(d.count, gpu::stream::group_size),
                       [one](sycl::nd_item<1> item) { one(item.get_global_id(0)); });
  }

  gpu::sycl_device &device;
  sycl::queue &queue;
};

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::sycl_device device;
  kernels ours(device);
  const auto tests = gpu::stream::tests(device, ours, gpu::stream::elements(chosen));
  return gpu::run(device, tests, chosen);
}
