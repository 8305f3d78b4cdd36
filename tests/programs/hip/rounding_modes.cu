// levels: 0 2
// Operations and conversions with a rounding mode, against the host's floating-point unit.
#include "flushes.hpp"

#include <cfenv>
#include <cstdio>
#include <cstdlib>

constexpr int count = 1 << 14, modes = 3;

struct Input {
  float a, b, c;
  double x, y, z;
  long long integer;
};
struct Results {
  float narrow[modes][7], from_double[modes], from_integer[modes];
  double wide[modes][7], from_long[modes];
  int to_int[modes + 1];
  unsigned long long to_long;
};

#define IN_MODE(index, mode)                                                                                         \
  r.narrow[index][0] = __fadd_##mode(in.a, in.b);                                                                    \
  r.narrow[index][1] = __fsub_##mode(in.a, in.b);                                                                    \
  r.narrow[index][2] = __fmul_##mode(in.a, in.b);                                                                    \
  r.narrow[index][3] = __fdiv_##mode(in.a, in.b);                                                                    \
  r.narrow[index][4] = __fsqrt_##mode(in.a);                                                                         \
  r.narrow[index][5] = __frcp_##mode(in.a);                                                                          \
  r.narrow[index][6] = __fmaf_##mode(in.a, in.b, in.c);                                                              \
  r.wide[index][0] = __dadd_##mode(in.x, in.y);                                                                      \
  r.wide[index][1] = __dsub_##mode(in.x, in.y);                                                                      \
  r.wide[index][2] = __dmul_##mode(in.x, in.y);                                                                      \
  r.wide[index][3] = __ddiv_##mode(in.x, in.y);                                                                      \
  r.wide[index][4] = __dsqrt_##mode(in.x);                                                                           \
  r.wide[index][5] = __drcp_##mode(in.x);                                                                            \
  r.wide[index][6] = __fma_##mode(in.x, in.y, in.z);                                                                 \
  r.from_double[index] = __double2float_##mode(in.x);                                                                \
  r.from_integer[index] = __ll2float_##mode(in.integer);                                                             \
  r.from_long[index] = __ll2double_##mode(in.integer);                                                               \
  r.to_int[index] = __float2int_##mode(in.a)

__global__ void compute(const Input *input, Results *results) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const Input in = input[i];
  Results r;
  IN_MODE(0, rd);
  IN_MODE(1, ru);
  IN_MODE(2, rz);
  r.to_int[3] = __double2int_rn(in.x);
  r.to_long = __double2ull_rz(in.x);
  results[i] = r;
}

__global__ void probe(float *x) { find_flushes(x); }

static int failures = 0;
static bool flushes = false;
template <class Number> void same(Number got, Number wanted, const char *name, int which, int i) {
  // Such a device may leave a subnormal number behind that it takes for a zero itself.
  if (sizeof(Number) == sizeof(float) && flushes && is_tiny(got))
    got = 0;
  if (!(got == wanted || (got != got && wanted != wanted)) && ++failures < 20)
    std::printf("%s %d: %d is %a instead of %a\n", name, which, i, static_cast<double>(got),
                static_cast<double>(wanted));
}

// Volatile, so that nothing is computed before the mode is set.
template <class Number> void reference(const volatile Number *in, volatile Number *out) {
  out[0] = in[0] + in[1];
  out[1] = in[0] - in[1];
  out[2] = in[0] * in[1];
  out[3] = in[0] / in[1];
  out[4] = std::sqrt(in[0]);
  out[5] = 1 / in[0];
  out[6] = std::fma(in[0], in[1], in[2]);
}

template <class To> To within(double whole) {
  const double least = std::numeric_limits<To>::min(), most = static_cast<double>(std::numeric_limits<To>::max());
  return whole != whole  ? 0
         : whole < least ? std::numeric_limits<To>::min()
         : whole >= most ? std::numeric_limits<To>::max()
                         : static_cast<To>(whole);
}

static void check(const Input &in, const Results &r, int i) {
  const int numbers[] = {FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};
  for (int mode = 0; mode < modes; ++mode) {
    volatile float narrow_in[] = {in.a, in.b, in.c}, narrow[7];
    volatile double wide_in[] = {in.x, in.y, in.z}, wide[7];
    volatile long long integer = in.integer;
    std::fesetround(numbers[mode]);
    reference(narrow_in, narrow);
    reference(wide_in, wide);
    volatile float from_double = static_cast<float>(wide_in[0]), from_integer = static_cast<float>(integer);
    volatile double from_long = static_cast<double>(integer);
    volatile double whole = std::nearbyint(static_cast<double>(narrow_in[0]));
    std::fesetround(FE_TONEAREST);
    const bool is_open = flushes && (is_tiny(in.a) || is_tiny(in.b) || is_tiny(in.c));
    for (int k = 0; k < 7; ++k) {
      if (!is_open && !(flushes && is_tiny(narrow[k])))
        same<float>(r.narrow[mode][k], narrow[k], "float", 10 * mode + k, i);
      same<double>(r.wide[mode][k], wide[k], "double", 10 * mode + k, i);
    }
    if (!flushes || !is_tiny(from_double))
      same<float>(r.from_double[mode], from_double, "from double", mode, i);
    same<float>(r.from_integer[mode], from_integer, "from integer", mode, i);
    same<double>(r.from_long[mode], from_long, "from long", mode, i);
    if (!flushes || !is_tiny(in.a))
      same<double>(r.to_int[mode], within<int>(whole), "to int", mode, i);
  }
  same<double>(r.to_int[3], within<int>(std::nearbyint(in.x)), "to int", 3, i);
  if (r.to_long != within<unsigned long long>(std::trunc(in.x)) && ++failures < 20)
    std::printf("%a is %llu\n", in.x, r.to_long);
}

static double random_real(int exponents) {
  const double fraction = std::rand() + std::rand() / (RAND_MAX + 1.0);
  const double x = std::ldexp(fraction, std::rand() % (2 * exponents) - exponents - 31);
  return std::rand() % 2 == 0 ? x : -x;
}

int main() {
  Input *input = nullptr;
  Results *results = nullptr;
  float *found = nullptr;
  if (cudaMallocManaged(&input, count * sizeof(Input)) != cudaSuccess ||
      cudaMallocManaged(&found, 2 * sizeof(float)) != cudaSuccess ||
      cudaMallocManaged(&results, count * sizeof(Results)) != cudaSuccess)
    return std::puts("no memory"), 1;
  const double special[] = {
      0, 1, -1, INFINITY, -INFINITY, NAN, 0x1p-149, 0x1.fffffep127, 0x1p-1074, 0x1.fffffffffffffp1023};
  for (int i = 0; i < count; ++i) {
    // In a few the numbers are close to each other, and in a few they are special.
    const int exponents = i % 3 == 0 ? 4 : i % 3 == 1 ? 40 : 120, wide = i % 4 == 3 ? 440 : exponents;
    Input &in = input[i];
    in = {static_cast<float>(random_real(exponents)),
          static_cast<float>(random_real(exponents)),
          static_cast<float>(random_real(exponents)),
          random_real(wide),
          random_real(wide),
          random_real(wide),
          0};
    if (i % 8 == 1)
      in.c = -in.a * in.b, in.z = -in.x * in.y;
    if (i % 16 == 0)
      in.x = special[i / 16 % 10], in.a = static_cast<float>(in.x);
    if (i % 16 == 8)
      in.y = special[i / 16 % 10], in.b = static_cast<float>(in.y);
    in.integer = static_cast<long long>(static_cast<unsigned long long>(std::rand()) << 33 ^
                                        static_cast<unsigned long long>(std::rand()) << 2) >>
                 std::rand() % 60;
  }
  found[0] = FLT_MIN;
  probe<<<1, 1>>>(found);
  compute<<<count / 128, 128>>>(input, results);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  flushes = found[1] != 0;
  for (int i = 0; i < count; ++i)
    check(input[i], results[i], i);
  if (failures == 0)
    std::puts("PASS");
  return failures != 0;
}
