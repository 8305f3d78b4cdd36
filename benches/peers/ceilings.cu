// Peak rates of the device: bytes moved by the driver's own copy, bytes read, and instructions of
// each kind.
//
// "operations" are instructions of one work-item (fused multiply-adds, reciprocal roots), not
// floating-point operations.
#include "gpu/cuda.cuh"

namespace {

constexpr int chains = 8, rounds = 4096;
constexpr unsigned threads = 256, groups = 132 * 16;

// Independent chains hide the latency. The result is stored only for a value that never occurs.
template <class T> __global__ void multiply_add(T *out, T x, T y) {
  T sum[chains];
  for (int c = 0; c < chains; c++)
    sum[c] = T(threadIdx.x + c);
  for (int round = 0; round < rounds; round++)
    for (int c = 0; c < chains; c++)
      sum[c] = sum[c] * x + y;
  T total = 0;
  for (int c = 0; c < chains; c++)
    total += sum[c];
  if (total == T(-1))
    *out = total;
}

__global__ void reciprocal_root(float *out, float y) {
  float value[chains];
  for (int c = 0; c < chains; c++)
    value[c] = float(threadIdx.x + c + 1) * y;
  for (int round = 0; round < rounds / 8; round++)
    for (int c = 0; c < chains; c++)
      asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(value[c]));
  float total = 0;
  for (int c = 0; c < chains; c++)
    total += value[c];
  if (total == -1.0f)
    *out = total;
}

__global__ void read_all(const float4 *in, float *out, std::size_t n) {
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n;
       i += gridDim.x * std::size_t(blockDim.x)) {
    const float4 value = in[i];
    sum += value.x + value.y + value.z + value.w;
  }
  if (sum == -1.0f)
    *out = sum;
}

} // namespace

int main(int argc, char **argv) {
  const gpu::options chosen = gpu::parse(argc, argv);
  gpu::cuda_device device;
  const std::size_t count = chosen.size(std::size_t(1) << 29, 1 << 22, 1 << 16);
  const float *from = device.random<float>(count, 1, 0, 1);
  float *to = device.allocate<float>(count);
  double *wide = device.allocate<double>(1);
  const double bytes = double(sizeof(float)) * count, items = double(threads) * groups;
  const auto copy = [=] {
    gpu::must(cudaMemcpyAsync(to, from, count * sizeof(float), cudaMemcpyDeviceToDevice), "cudaMemcpy");
  };
  const auto read = [=] {
    gpu::launch(read_all, groups, threads, reinterpret_cast<const float4 *>(from), to, count / 4);
  };
  const auto single = [=] { gpu::launch(multiply_add<float>, groups, threads, to, 0.9f, 0.1f); };
  const auto doubled = [=] { gpu::launch(multiply_add<double>, groups, threads, wide, 0.9, 0.1); };
  const auto root = [=] { gpu::launch(reciprocal_root, groups, threads, to, 0.5f); };
  const std::vector<gpu::test> tests = {
      {"copy", copy, {}, {}, 2 * bytes, 0},
      {"read", read, {}, {}, bytes, 0},
      {"fma_f32", single, {}, {}, 0, items * chains * rounds},
      {"fma_f64", doubled, {}, {}, 0, items * chains * rounds},
      {"root_f32", root, {}, {}, 0, items * chains * rounds / 8},
  };
  return gpu::run(device, tests, chosen);
}
