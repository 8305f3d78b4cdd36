// levels: 0 2
// Functions of integers and of packed ones against plain loops, and atomic operations of all widths
// and scopes.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

constexpr int count = 1024;

struct Results {
  unsigned packed[24], permuted, left, right, left_clamped, right_clamped, reversed, fns;
  int population, leading, first, high, dot4, dot2;
  unsigned dot4u, sad, average;
  unsigned long long high64, reversed64, bits;
};

__global__ void compute(const unsigned *numbers, Results *results) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned a = numbers[i], b = numbers[(i + 1) % count], c = numbers[(i + 2) % count];
  Results r = {};
  unsigned *p = r.packed;
  *p++ = __vadd2(a, b), *p++ = __vadd4(a, b), *p++ = __vsub2(a, b), *p++ = __vsub4(a, b);
  *p++ = __vaddss2(a, b), *p++ = __vaddss4(a, b), *p++ = __vsubus2(a, b), *p++ = __vsubus4(a, b);
  *p++ = __vmaxs2(a, b), *p++ = __vmaxs4(a, b), *p++ = __vminu2(a, b), *p++ = __vminu4(a, b);
  *p++ = __vavgu2(a, b), *p++ = __vavgu4(a, b), *p++ = __vabsdiffu2(a, b), *p++ = __vabsdiffu4(a, b);
  *p++ = __vabs2(a), *p++ = __vabs4(a), *p++ = __vsadu2(a, b), *p++ = __vsadu4(a, b);
  *p++ = __vcmpgts2(a, b), *p++ = __vcmpgts4(a, b), *p++ = __vsetltu2(a, b), *p++ = __vsetltu4(a, b);
  r.permuted = __byte_perm(a, b, c);
  r.left = __funnelshift_l(a, b, c), r.right = __funnelshift_r(a, b, c);
  r.left_clamped = __funnelshift_lc(a, b, c % 64), r.right_clamped = __funnelshift_rc(a, b, c % 64);
  r.reversed = __brev(a), r.fns = __fns(a, c % 32, static_cast<int>(b % 9) - 4);
  r.population = __popc(a), r.leading = __clz(static_cast<int>(a >> c % 32)),
  r.first = __ffs(static_cast<int>(a << c % 32));
  r.high = __mulhi(static_cast<int>(a), static_cast<int>(b));
  r.dot4 = __dp4a(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)), r.dot4u = __dp4a(a, b, c);
  r.dot2 = __dp2a_hi(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c));
  r.sad = __usad(a, b, c), r.average = __urhadd(a, b);
  const unsigned long long wide = static_cast<unsigned long long>(a) << 32 | b;
  r.high64 = __umul64hi(wide, wide), r.reversed64 = __brevll(wide);
  r.bits = __bitextract_u64(wide, c % 64, b % 64);
  results[i] = r;
}

struct Atomics {
  int add, sub, least, greatest;
  unsigned up, down, all, any, odd;
  unsigned long long add64, least64, greatest64, all64, any64, odd64;
  long long signed64;
  float f;
  double d;
};
__global__ void combine(Atomics *a) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const unsigned long long bit = 1ull << i % 64;
  atomicAdd_system(&a->add, i), atomicSub(&a->sub, i), atomicMin(&a->least, -i), atomicMax(&a->greatest, i);
  atomicInc(&a->up, 9), atomicDec(&a->down, 9);
  atomicAnd(&a->all, ~(1u << i % 8)), atomicOr(&a->any, 1u << i % 8), atomicXor(&a->odd, 1u << i % 16);
  atomicAdd(&a->add64, bit), atomicMin(&a->least64, bit), atomicMax(&a->greatest64, bit);
  atomicAnd(&a->all64, ~bit), atomicOr(&a->any64, bit), atomicXor(&a->odd64, bit);
  atomicMin(&a->signed64, -static_cast<long long>(bit / 2));
  atomicAdd(&a->f, 0.5f), atomicAdd(&a->d, 0.25);
  __shared__ int of_block;
  if (threadIdx.x == 0)
    of_block = 0;
  __syncthreads();
  atomicAdd_block(&of_block, 1);
  if (__syncthreads_count(i % 2) != 16 || !__syncthreads_or(i == 5 || i == 37) || __syncthreads_and(i != 6))
    atomicAdd(&a->add, blockIdx.x == 0 ? 1000000 : 0);
  if (of_block != 32)
    atomicAdd(&a->add, 1000000);
}

static int failures = 0;
static void same(long long got, long long wanted, const char *name, int i) {
  if (got != wanted && ++failures < 20)
    std::printf("%s: %d is %#llx instead of %#llx\n", name, i, got, wanted);
}

// Applies an operation on signed or unsigned numbers of a width to a word.
template <class Operation> unsigned each(int width, bool is_signed, unsigned a, unsigned b, Operation operation) {
  unsigned result = 0;
  for (int at = 0; at < 32; at += width) {
    const auto part = [&](unsigned x) {
      const long long value = x >> at & ((1ull << width) - 1);
      return is_signed && value >> (width - 1) ? value - (1ll << width) : value;
    };
    result |= (static_cast<unsigned>(operation(part(a), part(b))) & static_cast<unsigned>((1ull << width) - 1)) << at;
  }
  return result;
}

static void check(const unsigned *numbers, const Results &r, int i) {
  const unsigned a = numbers[i], b = numbers[(i + 1) % count], c = numbers[(i + 2) % count];
  using number = long long;
  for (int k = 0; k < 2; ++k) {
    const int width = k == 0 ? 16 : 8;
    const number most = (1 << (width - 1)) - 1;
    unsigned sum = 0;
    const unsigned wanted[] = {
        each(width, false, a, b, [](number x, number y) { return x + y; }),
        each(width, false, a, b, [](number x, number y) { return x - y; }),
        each(width, true, a, b, [=](number x, number y) { return std::clamp(x + y, -most - 1, most); }),
        each(width, false, a, b, [](number x, number y) { return std::max(x - y, 0ll); }),
        each(width, true, a, b, [](number x, number y) { return std::max(x, y); }),
        each(width, false, a, b, [](number x, number y) { return std::min(x, y); }),
        each(width, false, a, b, [](number x, number y) { return (x + y + 1) / 2; }),
        each(width, false, a, b, [](number x, number y) { return std::llabs(x - y); }),
        each(width, true, a, b, [](number x, number) { return std::llabs(x); }),
        (each(width, false, a, b, [&](number x, number y) { return sum += std::llabs(x - y); }), sum),
        each(width, true, a, b, [](number x, number y) { return x > y ? -1 : 0; }),
        each(width, false, a, b, [](number x, number y) { return x < y ? 1 : 0; }),
    };
    for (int j = 0; j < 12; ++j)
      same(r.packed[2 * j + k], wanted[j], "packed", 100 * j + k);
  }
  const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a, wide = both >> 32 | both << 32;
  unsigned permuted = 0, reversed = 0, place = ~0u;
  for (int k = 0; k < 4; ++k)
    permuted |= static_cast<unsigned>(both >> 8 * (c >> 4 * k & 7) & 255) << 8 * k;
  for (int k = 0; k < 32; ++k)
    reversed |= (a >> k & 1) << (31 - k);
  const int n = static_cast<int>(b % 9) - 4;
  for (int at = c % 32, found = 0; n != 0 && at >= 0 && at < 32 && place == ~0u; at += n < 0 ? -1 : 1)
    if (a >> at & 1 && ++found == std::abs(n))
      place = at;
  if (n == 0 && a >> c % 32 & 1)
    place = c % 32;
  same(r.permuted, permuted, "byte_perm", i);
  same(r.left, static_cast<unsigned>(both << c % 32 >> 32), "funnelshift_l", i);
  same(r.right, static_cast<unsigned>(both >> c % 32), "funnelshift_r", i);
  same(r.left_clamped, c % 64 >= 32 ? a : static_cast<unsigned>(both << c % 32 >> 32), "funnelshift_lc", i);
  same(r.right_clamped, c % 64 >= 32 ? b : static_cast<unsigned>(both >> c % 32), "funnelshift_rc", i);
  same(r.reversed, reversed, "brev", i);
  same(r.fns, place, "fns", i);
  same(r.population, __builtin_popcount(a), "popc", i);
  const unsigned down = a >> c % 32, up = a << c % 32;
  same(r.leading, down == 0 ? 32 : __builtin_clz(down), "clz", i);
  same(r.first, up == 0 ? 0 : __builtin_ctz(up) + 1, "ffs", i);
  same(r.high, static_cast<int>(static_cast<number>(static_cast<int>(a)) * static_cast<int>(b) >> 32), "mulhi", i);
  unsigned dot = c, dotu = c;
  for (int k = 0; k < 32; k += 8) {
    dot += static_cast<unsigned>(static_cast<signed char>(a >> k) * static_cast<signed char>(b >> k));
    dotu += (a >> k & 255) * (b >> k & 255);
  }
  same(r.dot4, static_cast<int>(dot), "dp4a", i);
  same(r.dot4u, dotu, "dp4a", i);
  same(r.dot2,
       static_cast<int>(c + static_cast<unsigned>(static_cast<short>(a) * static_cast<signed char>(b >> 16) +
                                                  static_cast<short>(a >> 16) * static_cast<signed char>(b >> 24))),
       "dp2a", i);
  same(r.sad, static_cast<unsigned>(std::llabs(static_cast<number>(a) - b)) + c, "usad", i);
  same(r.average, static_cast<unsigned>((static_cast<unsigned long long>(a) + b + 1) / 2), "urhadd", i);
  same(r.high64, static_cast<number>(static_cast<unsigned __int128>(wide) * wide >> 64), "umul64hi", i);
  unsigned long long reversed64 = 0;
  for (int k = 0; k < 64; ++k)
    reversed64 |= (wide >> k & 1) << (63 - k);
  same(r.reversed64, reversed64, "brevll", i);
  same(r.bits, wide >> c % 64 & ((1ull << b % 64) - 1), "bitextract", i);
}

int main() {
  unsigned *numbers = nullptr;
  Results *results = nullptr;
  Atomics *a = nullptr;
  if (cudaMallocManaged(&numbers, count * sizeof(unsigned)) != cudaSuccess ||
      cudaMallocManaged(&results, count * sizeof(Results)) != cudaSuccess ||
      cudaMallocManaged(&a, sizeof(Atomics)) != cudaSuccess)
    return std::puts("no memory"), 1;
  for (int i = 0; i < count; ++i)
    numbers[i] = static_cast<unsigned>(std::rand()) << 8 ^ static_cast<unsigned>(std::rand());
  numbers[7] = 0, numbers[8] = 0x80008080u, numbers[9] = 0x7fff7f7fu, numbers[10] = ~0u;
  *a = {0, 0, 0, 0, 0, 0, ~0u, 0, 0, 0, ~0ull, 0, ~0ull, 0, 0, 0, 0, 0};
  compute<<<count / 64, 64>>>(numbers, results);
  combine<<<2, 32>>>(a);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  for (int i = 0; i < count; ++i)
    check(numbers, results[i], i);
  const bool fits = a->add == 2016 && a->sub == -2016 && a->least == -63 && a->greatest == 63 && a->up == 4 &&
                    a->down == 6 && a->all == ~255u && a->any == 255 && a->odd == 0 && a->add64 == ~0ull &&
                    a->least64 == 1 && a->greatest64 == 1ull << 63 && a->all64 == 0 && a->any64 == ~0ull &&
                    a->odd64 == ~0ull && a->signed64 == -(1ll << 62) && a->f == 32 && a->d == 16;
  if (!fits)
    return std::printf("atomics: %d %d %u %u %#llx\n", a->add, a->sub, a->up, a->down, a->add64), 1;
  if (failures == 0)
    std::puts("PASS");
  return failures != 0;
}
