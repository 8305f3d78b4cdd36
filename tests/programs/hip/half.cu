// levels: 0 2
// half and its pairs: conversions in all rounding modes, arithmetic, comparisons and functions,
// against a reference that searches all numbers of the format.
#include <cuda_fp16.h>

#include "short_reference.hpp"

#include <cstdio>
#include <cstring>

using Half = Reference<10>;

constexpr int count = 1 << 14;

struct Input {
  __half a, b, c;
  float wide;
  double wider;
  int integer;
};
struct Results {
  unsigned short widened_back, float_modes[4], double_modes[4], integer_modes[4];
  int to_integer[4];
  unsigned short sum, difference, product, quotient, fused, negative, size, saturated, larger, smaller;
  unsigned relations, unordered;
  unsigned short mask_of_pair[2];
  float root, exponential, logarithm, sine;
  unsigned short rounded[4];
  float2 pair;
};

__host__ __device__ unsigned short bits(__half x) { return __half_as_ushort(x); }

__host__ __device__ Results compute(const Input &in) {
  const __half a = in.a, b = in.b, c = in.c;
  Results r = {};
  r.widened_back = bits(__float2half(__half2float(a)));
  r.float_modes[0] = bits(__float2half_rn(in.wide));
  r.float_modes[1] = bits(__float2half_rd(in.wide));
  r.float_modes[2] = bits(__float2half_ru(in.wide));
  r.float_modes[3] = bits(__float2half_rz(in.wide));
  r.double_modes[0] = bits(__double2half_rn(in.wider));
  r.double_modes[1] = bits(__double2half_rd(in.wider));
  r.double_modes[2] = bits(__double2half_ru(in.wider));
  r.double_modes[3] = bits(__double2half_rz(in.wider));
  r.integer_modes[0] = bits(__int2half_rn(in.integer));
  r.integer_modes[1] = bits(__int2half_rd(in.integer));
  r.integer_modes[2] = bits(__int2half_ru(in.integer));
  r.integer_modes[3] = bits(__int2half_rz(in.integer));
  r.to_integer[0] = __half2int_rn(a);
  r.to_integer[1] = __half2short_rd(a);
  r.to_integer[2] = static_cast<int>(__half2uint_ru(a));
  r.to_integer[3] = __half2int_rz(a);
  r.sum = bits(__hadd(a, b));
  r.difference = bits(a - b);
  r.product = bits(__hmul_rn(a, b));
  r.quotient = bits(__hdiv(a, b));
  r.fused = bits(__hfma(a, b, c));
  r.negative = bits(__hneg(a));
  r.size = bits(__habs(a));
  r.saturated = bits(__hadd_sat(a, b));
  r.larger = bits(__hmax(a, b));
  r.smaller = bits(__hmin(a, b));
  r.relations = __heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | (a > b) << 4 | (a >= b) << 5;
  r.unordered = __hequ(a, b) | __hneu(a, b) << 1 | __hltu(a, b) << 2 | __hleu(a, b) << 3 | __hgtu(a, b) << 4 |
                __hgeu(a, b) << 5 | __hisnan(a) << 6;
  const unsigned mask = __hlt2_mask(__halves2half2(a, b), __half2half2(c));
  memcpy(r.mask_of_pair, &mask, sizeof mask);
  r.root = hsqrt(a);
  r.exponential = hexp(a);
  r.logarithm = hlog2(__habs(a));
  r.sine = hsin(a);
  r.rounded[0] = bits(hrint(a));
  r.rounded[1] = bits(hfloor(a));
  r.rounded[2] = bits(hceil(a));
  r.rounded[3] = bits(htrunc(a));
  const __half2 pair = __hfma2(__halves2half2(a, b), __float2half2_rn(2.0f), __lowhigh2highlow(__halves2half2(a, b)));
  r.pair = __half22float2(pair);
  return r;
}

__global__ void on_device(const Input *in, Results *out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = compute(in[i]);
}

// Work-items add to the same numbers, and pass halfs around in their warps.
__global__ void together(__half *sum, __half2 *pair, __half *passed) {
  atomicAdd(sum, __float2half(0.5f));
  atomicAdd(pair, __floats2half2_rn(1.0f, 2.0f));
  const __half mine = __int2half_rn(static_cast<int>(threadIdx.x));
  const __half2 both = __shfl_xor_sync(0xffffffffu, __halves2half2(mine, mine), 2);
  passed[threadIdx.x] = __shfl_down_sync(0xffffffffu, mine, 1) + __high2half(both);
}

static unsigned random_number() {
  static unsigned state = 1;
  return state = state * 1664525u + 1013904223u, state >> 8;
}
static int failures = 0;
static void expect(bool holds, const char *name, int i, double got) {
  if (!holds && ++failures < 20)
    std::printf("%s: %d is %g\n", name, i, got);
}
static void same(unsigned got, unsigned wanted, const char *name, int i) {
  expect(Half::same(got, wanted), name, i, Half::value(got));
}
static bool is_close(float got, double wanted) {
  const double rounded = Half::value(Half::round(wanted));
  return (got != got && wanted != wanted) || got == rounded ||
         std::fabs(got - wanted) <= 0x1.2p-11 * std::fabs(wanted) + 0x1p-25;
}

static void check(const Input &in, const Results &r, int i) {
  const double a = Half::value(bits(in.a)), b = Half::value(bits(in.b)), c = Half::value(bits(in.c));
  const char modes[] = "nduz";
  same(r.widened_back, bits(in.a), "widened", i);
  for (int m = 0; m < 4; ++m) {
    same(r.float_modes[m], Half::round<double>(in.wide, modes[m]), "from float", i);
    same(r.double_modes[m], Half::round<double>(in.wider, modes[m]), "from double", i);
    same(r.integer_modes[m], Half::round<double>(in.integer, modes[m]), "from int", i);
  }
  const bool is_number = a == a;
  const auto within = [&](double x, double least, double most) {
    return !is_number ? 0 : static_cast<int>(x < least ? least : x > most ? most : x);
  };
  expect(r.to_integer[0] == within(std::nearbyint(a), -2147483648.0, 2147483647.0), "to int", i, r.to_integer[0]);
  expect(r.to_integer[1] == within(std::floor(a), -32768, 32767), "to short", i, r.to_integer[1]);
  if (std::isfinite(a))
    expect(r.to_integer[2] == within(std::ceil(a), 0, 65536), "to unsigned", i, r.to_integer[2]);
  same(r.sum, Half::round(a + b), "sum", i);
  same(r.difference, Half::round(a - b), "difference", i);
  same(r.product, Half::round(a * b), "product", i);
  same(r.quotient, Half::round(static_cast<double>(static_cast<float>(a) / static_cast<float>(b))), "quotient", i);
  same(r.fused, Half::round(static_cast<__float128>(a) * b + c), "fused", i);
  same(r.negative, Half::round(-a), "negative", i);
  same(r.size, Half::round(std::fabs(a)), "size", i);
  const double sum = Half::value(Half::round(a + b));
  same(r.saturated,
       Half::round(sum != sum ? 0.0
                   : sum < 0  ? 0.0
                   : sum > 1  ? 1.0
                              : sum) &
           (sum > 0 ? 0xffffu : 0u),
       "saturated", i);
  if (a == a && b == b && a != b)
    same(r.larger, Half::round(a < b ? b : a), "larger", i),
        same(r.smaller, Half::round(a < b ? a : b), "smaller", i);
  const bool is_unordered = a != a || b != b;
  const unsigned relations =
      (a == b) | (!is_unordered && a != b) << 1 | (a < b) << 2 | (a <= b) << 3 | (a > b) << 4 | (a >= b) << 5;
  expect(r.relations == relations, "relations", i, r.relations);
  expect(r.unordered == ((is_unordered ? 63u : relations) | (a != a ? 64u : 0u)), "unordered", i, r.unordered);
  expect(r.mask_of_pair[0] == (a < c ? 0xffff : 0) && r.mask_of_pair[1] == (b < c ? 0xffff : 0), "mask", i, 0);
  expect(is_close(r.root, std::sqrt(a)), "hsqrt", i, r.root);
  expect(is_close(r.exponential, std::exp(a)), "hexp", i, r.exponential);
  expect(is_close(r.logarithm, std::log2(std::fabs(a))), "hlog2", i, r.logarithm);
  expect(is_close(r.sine, std::sin(a)), "hsin", i, r.sine);
  const double rounded[] = {std::nearbyint(a), std::floor(a), std::ceil(a), std::trunc(a)};
  for (int m = 0; m < 4; ++m)
    same(r.rounded[m], Half::round(rounded[m]), "rounded", i);
  same(Half::round<double>(r.pair.x), Half::round(2 * a + b), "pair.x", i);
  same(Half::round<double>(r.pair.y), Half::round(2 * b + a), "pair.y", i);
}

int main() {
  Input *in = nullptr;
  Results *out = nullptr;
  __half *sums = nullptr;
  if (cudaMallocManaged(&in, count * sizeof(Input)) != cudaSuccess ||
      cudaMallocManaged(&out, count * sizeof(Results)) != cudaSuccess ||
      cudaMallocManaged(&sums, 64 * sizeof(__half)) != cudaSuccess)
    return std::puts("no memory"), 1;
  const unsigned special[] = {0, 0x8000, 1, 0x8001, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3c00};
  for (int i = 0; i < count; ++i) {
    const auto any = [&](int part) {
      const unsigned random = random_number();
      return __ushort_as_half(static_cast<unsigned short>(random % 16 == 0 ? special[random / 16 % 12]
                                                          : part == 0      ? 4 * i + random % 4
                                                                           : random));
    };
    in[i].a = any(0), in[i].b = any(1), in[i].c = any(2);
    const int exponent = static_cast<int>(random_number() % 48) - 28;
    in[i].wide = std::ldexp(static_cast<float>(random_number()) - 0x1p23f, exponent - 23);
    // Close to the middle of two halfs, where rounding twice would be wrong.
    in[i].wider = Half::value(bits(in[i].b)) * (1 + 0x1p-11) + (i % 3 - 1) * 1e-18;
    in[i].integer = static_cast<int>(random_number() << 8) >> random_number() % 32;
  }
  memset(static_cast<void *>(sums), 0, 64 * sizeof(__half));
  on_device<<<count / 128, 128>>>(in, out);
  together<<<1, 32>>>(sums, reinterpret_cast<__half2 *>(sums + 2), sums + 4);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < count; ++i) {
    check(in[i], out[i], i);
    check(in[i], compute(in[i]), i + count);
  }
  expect(static_cast<float>(sums[0]) == 16 && sums[2] == 32.0f && sums[3] == 64.0f, "atomics", 0, sums[0]);
  for (int i = 0; i < 32; ++i)
    expect(static_cast<float>(sums[4 + i]) == (i < 31 ? i + 1 : 31) + (i ^ 2), "shuffles", i, sums[4 + i]);
  const __half2 one(__float2half(1.0f)), two = one + one;
  expect(two == __float2half2_rn(2.0f) && two != one && sizeof two == 4 && __hbgt2(two, one), "pairs", 0, two.x);
  expect(__half(1) + 1 == 2 && 2.5 * __half(2) == 5 && -CUDART_ONE_FP16 < 0, "operators", 0, 0);
  if (failures == 0)
    std::puts("PASS");
  return failures != 0;
}
