// The kernels of the specialisation suite in SYCL 2020, beside peers/special.cu.
//
// Single values are captured as `sycl::specialized`; the switches are specialization constants. In
// observed.cpp all of them are arguments like others.
#include "gpu/special.hpp"
#include "gpu/sycl.hpp"

namespace {

using namespace gpu::special;

#ifdef OBSERVED
using value = int;
#else
using value = sycl::specialized<int>;

constexpr sycl::specialization_id<int> shape_id(0), clamp_id(0), damp_id(0), drift_id(0);
#endif

class kernels {
public:
  explicit kernels(sycl::queue &target) : queue(target) {}

  void polynomial(const float *factors, const float *in, float *out, std::size_t count, int given) {
    const value order(given);
    queue.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
      const unsigned i = item.get_global_id(0);
      const int top = order;
      float x = in[i];
      for (int round = 0; round < polynomial_rounds; round++) {
        float sum = 0;
        for (int k = top; k >= 0; k--)
          sum = sum * x + factors[k];
        x = sum;
      }
      out[i] = x;
    });
  }

  void star(const float *weights, const float *in, float *out, std::size_t side, int given) {
    const value wanted(given);
    queue.parallel_for(sycl::nd_range<3>({side, side, side}, {2, 4, 32}), [=, n = int(side)](sycl::nd_item<3> item) {
      const int x = item.get_global_id(2), y = item.get_global_id(1), z = item.get_global_id(0);
      const int radius = wanted, plane = n * n, i = z * plane + y * n + x;
      if (x < radius || x + radius >= n || y < radius || y + radius >= n || z < radius || z + radius >= n) {
        out[i] = in[i];
        return;
      }
      float sum = weights[0] * in[i];
      for (int r = 1; r <= radius; r++)
        sum += weights[r] *
               (in[i - r] + in[i + r] + in[i - r * n] + in[i + r * n] + in[i - r * plane] + in[i + r * plane]);
      out[i] = sum;
    });
  }

  void filter(const float *weights, const float *in, float *out, std::size_t side, int given) {
    const value wanted(given);
    queue.parallel_for(sycl::nd_range<2>({side, side}, {8, 32}), [=, n = int(side)](sycl::nd_item<2> item) {
      const int column = item.get_global_id(1), row = item.get_global_id(0);
      const int size = wanted, stride = n + size - 1;
      float sum = 0;
      for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
          sum += weights[y * size + x] * in[(row + y) * stride + column + x];
      out[row * n + column] = sum;
    });
  }

  void small_matrices(const float *a, const float *b, float *c, std::size_t count, int given) {
    const value wanted(given);
    queue.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item) {
      const int i = item.get_global_id(0), size = wanted;
      const int first = i / (size * size) * size * size, row = i / size % size, column = i % size;
      float sum = 0;
      for (int k = 0; k < size; k++)
        sum += a[first + row * size + k] * b[first + k * size + column];
      c[i] = sum;
    });
  }

#ifdef OBSERVED
  void switches(const float *in, float *out, std::size_t count, const choice &given) {
    queue.parallel_for(sycl::nd_range<1>(count, group_size),
                       [=, shape = given.shape, clamp = given.clamp, damp = given.damp,
                        drift = given.drift](sycl::nd_item<1> item) {
                         const unsigned i = item.get_global_id(0);
                         out[i] = rounds(in[i], shape, clamp, damp, drift);
                       });
  }
#else
  void switches(const float *in, float *out, std::size_t count, const choice &given) {
    queue.submit([&](sycl::handler &group) {
      group.set_specialization_constant<shape_id>(given.shape);
      group.set_specialization_constant<clamp_id>(given.clamp);
      group.set_specialization_constant<damp_id>(given.damp);
      group.set_specialization_constant<drift_id>(given.drift);
      group.parallel_for(sycl::nd_range<1>(count, group_size), [=](sycl::nd_item<1> item, sycl::kernel_handler values) {
        const unsigned i = item.get_global_id(0);
        const int shape = values.get_specialization_constant<shape_id>(),
                  clamp = values.get_specialization_constant<clamp_id>();
        const int damp = values.get_specialization_constant<damp_id>(),
                  drift = values.get_specialization_constant<drift_id>();
        out[i] = rounds(in[i], shape, clamp, damp, drift);
      });
    });
  }
#endif

private:
  static float rounds(float x, int shape, int clamp, int damp, int drift) {
    for (int round = 0; round < switch_rounds; round++)
      x = switched<float>(x, shape, clamp, damp, drift);
    return x;
  }

  sycl::queue &queue;
};

} // namespace

#ifndef OBSERVED
int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::sycl_device device;
  kernels ours(device.queue);
  gpu::special::suite suite(device, ours, gpu::special::sizes::of(chosen));
  return gpu::run(device, suite.tests(), chosen);
}
#endif
