// levels: 0 2
// bfloat16 and its pairs under HIP's names, against a reference that searches all numbers of the
// format.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_runtime.h>

#include "flushes.hpp"
#include "short_reference.hpp"

#include <cstdio>
#include <cstring>

using Brain = Reference<7>;

constexpr int count = 1 << 14;

struct Input {
  __hip_bfloat16 a, b, c;
  float wide;
  double wider;
  long long integer;
};
struct Results {
  unsigned short float_modes[4], double_modes[2], integer_modes[2], sum, product, quotient, fused, root;
  unsigned short old_type, cut;
  int to_integer;
  bool is_less, is_equal;
  __hip_bfloat162 pair;
};

__host__ __device__ unsigned short bits(__hip_bfloat16 x) { return __bfloat16_as_ushort(x); }

__host__ __device__ Results compute(const Input &in) {
  const __hip_bfloat16 a = in.a, b = in.b, c = in.c;
  Results r = {};
  r.float_modes[0] = bits(__float2bfloat16(in.wide));
  r.float_modes[1] = bits(__float2bfloat16_rd(in.wide));
  r.float_modes[2] = bits(__float2bfloat16_ru(in.wide));
  r.float_modes[3] = bits(__float2bfloat16_rz(in.wide));
  r.double_modes[0] = bits(__double2bfloat16(in.wider));
  r.double_modes[1] = bits(__double2bfloat16_rd(in.wider));
  r.integer_modes[0] = bits(__ll2bfloat16_rn(in.integer));
  r.integer_modes[1] = bits(__ll2bfloat16_rd(in.integer));
  r.sum = bits(__hadd(a, b));
  r.product = bits(a * b);
  r.quotient = bits(__hdiv(a, b));
  r.fused = bits(__hfma(a, b, c));
  r.root = bits(hsqrt(a));
  r.old_type = (hip_bfloat16(in.wide) * hip_bfloat16(2.0f)).data;
  r.cut = hip_bfloat16(in.wide, hip_bfloat16::truncate).data;
  r.to_integer = __bfloat162int_rd(a);
  r.is_less = __hlt(a, b);
  r.is_equal = a == b;
  r.pair = __hadd2(__halves2bfloat162(a, b), __bfloat162bfloat162(c));
  return r;
}

__global__ void on_device(const Input *in, Results *out) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  out[i] = compute(in[i]);
}
__global__ void probe(float *x) { find_flushes(x); }
__global__ void together(__hip_bfloat16 *sum, __hip_bfloat162 *pair) {
  const __hip_bfloat16 last = __shfl(__hip_bfloat16(static_cast<int>(threadIdx.x)), warpSize - 1);
  atomicAdd(sum, __hip_bfloat16(0.25f));
  atomicAdd(pair, __hip_bfloat162(__hip_bfloat16(1.0f), last - 29));
}

static unsigned random_number() {
  static unsigned state = 7;
  return state = state * 1664525u + 1013904223u, state >> 8;
}
static int failures = 0;
// True for results of a device that takes subnormal numbers for zeros.
static bool flushed = false;
static void same(unsigned got, unsigned wanted, const char *name, int i) {
  if (flushed && is_tiny(Brain::value(wanted)))
    return;
  if (!Brain::same(got, wanted) && ++failures < 20)
    std::printf("%s: %d is %g instead of %g\n", name, i, Brain::value(got), Brain::value(wanted));
}
static void expect(bool holds, const char *name, int i) {
  if (!holds && ++failures < 20)
    std::printf("%s: %d is wrong\n", name, i);
}

static void check(const Input &in, const Results &r, int i) {
  const double a = Brain::value(bits(in.a)), b = Brain::value(bits(in.b)), c = Brain::value(bits(in.c));
  if (flushed && (is_tiny(a) || is_tiny(b) || is_tiny(c)))
    return;
  const char modes[] = "nduz";
  for (int m = 0; m < 4; ++m)
    same(r.float_modes[m], Brain::round<double>(in.wide, modes[m]), "from float", i);
  for (int m = 0; m < 2; ++m) {
    same(r.double_modes[m], Brain::round<double>(in.wider, modes[m]), "from double", i);
    same(r.integer_modes[m], Brain::round<__float128>(in.integer, modes[m]), "from integer", i);
  }
  // The sum of two numbers is not exact in double; its quotient is far from the middle of two.
  same(r.sum, Brain::round(static_cast<__float128>(a) + b), "sum", i);
  same(r.product, Brain::round(a * b), "product", i);
  same(r.quotient, Brain::round(a / b), "quotient", i);
  same(r.root, Brain::round(std::sqrt(a)), "hsqrt", i);
  if (std::isfinite(a) && std::isfinite(b) && std::isfinite(c) && std::fabs(a * b) > 1e-30 && std::fabs(a * b) < 1e30)
    same(r.fused, Brain::round(static_cast<__float128>(a) * b + c), "fused", i);
  same(r.old_type, Brain::round(2 * Brain::value(Brain::round<double>(in.wide))), "old type", i);
  same(r.cut, Brain::round<double>(in.wide, 'z'), "cut", i);
  const double down = std::floor(a);
  const int whole = a != a ? 0 : down < -2147483648.0 ? -2147483647 - 1 : down > 2147483647.0 ? 2147483647 : down;
  expect(r.to_integer == whole, "to int", i);
  expect(r.is_less == (a < b) && r.is_equal == (a == b), "relations", i);
  same(bits(r.pair.x), Brain::round(static_cast<__float128>(a) + c), "pair.x", i);
  same(bits(r.pair.y), Brain::round(static_cast<__float128>(b) + c), "pair.y", i);
}

int main() {
  Input *in = nullptr;
  Results *out = nullptr;
  __hip_bfloat16 *sums = nullptr;
  float *found = nullptr;
  if (hipMallocManaged(&in, count * sizeof(Input)) != hipSuccess ||
      hipMallocManaged(&out, count * sizeof(Results)) != hipSuccess ||
      hipMallocManaged(&found, 2 * sizeof(float)) != hipSuccess ||
      hipMallocManaged(&sums, 4 * sizeof(__hip_bfloat16)) != hipSuccess)
    return std::puts("no memory"), 1;
  const unsigned special[] = {0, 0x8000, 1, 0x8001, 0x7f, 0x80, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x3f80};
  for (int i = 0; i < count; ++i) {
    const auto any = [&] {
      const unsigned random = random_number();
      return __ushort_as_bfloat16(static_cast<unsigned short>(random % 16 == 0 ? special[random / 16 % 12] : random));
    };
    in[i].a = any(), in[i].b = i % 2 == 0 ? any() : in[i].a * __hip_bfloat16(1.5f), in[i].c = any();
    in[i].wide =
        std::ldexp(static_cast<float>(random_number()) - 0x1p23f, static_cast<int>(random_number() % 180) - 110);
    in[i].wider = Brain::value(bits(in[i].a)) * (1 + 0x1p-8) * (1 + (i % 3 - 1) * 0x1p-50);
    in[i].integer = static_cast<long long>(static_cast<unsigned long long>(random_number()) << 40 |
                                           static_cast<unsigned long long>(random_number()) << 16) >>
                    random_number() % 60;
  }
  memset(static_cast<void *>(sums), 0, 4 * sizeof(__hip_bfloat16));
  found[0] = FLT_MIN;
  probe<<<1, 1>>>(found);
  on_device<<<count / 128, 128>>>(in, out);
  together<<<1, 32>>>(sums, reinterpret_cast<__hip_bfloat162 *>(sums + 2));
  if (hipGetLastError() != hipSuccess || hipDeviceSynchronize() != hipSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < count; ++i) {
    flushed = found[1] != 0;
    check(in[i], out[i], i);
    flushed = false;
    check(in[i], compute(in[i]), i + count);
  }
  expect(sums[0] == 8 && sums[2] == 32 && sums[3] == 64, "atomics", 0);
  if (failures == 0)
    std::puts("PASS");
  return failures != 0;
}
