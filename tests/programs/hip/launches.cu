// levels: 0 1 2 3
// options: -g
// Kernels launched from macros, templates, tables of pointers and functions that take kernels.
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <utility>

#define CHECK(call)                                                                                                   \
  if (cudaError_t error = call)                                                                                      \
  return std::printf("%s: %s, %s\n", #call, cudaGetErrorString(error), sinter_hip_last_message()), 1

static int *out = nullptr;
constexpr int threads = 32;

template <class Expected> int check(const char *name, Expected expected) {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i)
    if (out[i] != static_cast<int>(expected(i)))
      return std::printf("%s: %d is %d instead of %d\n", name, i, out[i], static_cast<int>(expected(i))), 1;
  std::memset(out, 0, threads * sizeof(int));
  return 0;
}

namespace {
__global__ void hidden(int *out, int x) { out[threadIdx.x] = x; }
namespace deeper {
template <class T> __global__ void hidden(int *out, T x) { out[threadIdx.x] = static_cast<int>(x * 2); }
} // namespace deeper
} // namespace
static __global__ void plus(int *out, int x) { out[threadIdx.x] = static_cast<int>(threadIdx.x) + x; }
static __global__ void times(int *out, int x) { out[threadIdx.x] = static_cast<int>(threadIdx.x) * x; }
extern "C" __global__ void minus(int *out, int x) { out[threadIdx.x] = static_cast<int>(threadIdx.x) - x; }
template <int N> __global__ void constant(int *out, int) { out[threadIdx.x] = N; }

// Tables, static ones among them, hold kernels as values.
using Kernel = void (*)(int *, int);
static const Kernel table[] = {plus, times, minus, constant<17>, hidden, deeper::hidden<int>};

int tables() {
  const auto expected = [](int kernel, int i) {
    const int values[] = {i + 3, i * 3, i - 3, 17, 3, 6};
    return values[kernel];
  };
  for (int kernel = 0; kernel < 6; ++kernel) {
    table[kernel]<<<1, threads>>>(out, 3);
    if (check("a kernel of a table", [&](int i) { return expected(kernel, i); }))
      return 1;
    int x = 3;
    void *arguments[] = {&out, &x};
    const void *address = reinterpret_cast<const void *>(table[kernel]);
    CHECK(cudaLaunchKernel(address, dim3(1), dim3(threads), arguments, 0, nullptr));
    if (check("cudaLaunchKernel", [&](int i) { return expected(kernel, i); }))
      return 1;
  }
  return 0;
}

#define LAUNCH(kernel, ...) kernel<<<dim3(1), dim3(threads), 0, 0>>>(__VA_ARGS__)
#define FOR_EACH_SIZE(Do) Do(1) Do(2) Do(4) Do(8)

template <class... Types> __global__ void sum(int *out, Types... values) {
  out[threadIdx.x] = (static_cast<int>(threadIdx.x) + ... + static_cast<int>(values));
}
template <class... Types> int launch_sum(int expected, Types... values) {
  LAUNCH(sum<Types...>, out, values...);
  return check("a variadic kernel", [=](int i) { return i + expected; });
}
template <class Function, class... Arguments> int launch(const char *name, Function *kernel, Arguments... arguments) {
  kernel<<<1, threads>>>(arguments...);
  return check(name, [](int i) { return i + 3; });
}

// A kernel of each type and each combination of two numbers.
template <class T, int N, bool Is> struct Policy {
  static constexpr int value = N + Is;
};
template <class P, class T> __global__ void by_policy(int *out, T x) {
  if constexpr (std::is_floating_point_v<T>)
    out[threadIdx.x] = static_cast<int>(x * T(P::value));
  else
    out[threadIdx.x] = static_cast<int>(x) + P::value;
}
template <class T, int... N> int policies(std::integer_sequence<int, N...>) {
  int failures = 0;
  const auto one = [&](auto policy, int value) {
    by_policy<decltype(policy)><<<1, threads>>>(out, T(2));
    failures += check("a policy", [=](int) { return std::is_floating_point_v<T> ? 2 * value : 2 + value; });
  };
  (one(Policy<T, N, true>(), N + 1), ...);
  (one(Policy<T, N, false>(), N), ...);
  return failures;
}

// 4096 bytes of arguments, which is what CUDA allows.
struct Large {
  int numbers[1021];
};
__global__ void large(int *out, Large numbers, int last) {
  out[threadIdx.x] = numbers.numbers[threadIdx.x * 32] + numbers.numbers[1020] + last;
}
struct Mixed {
  char a;
  double b;
  short c[3];
  float3 d;
  bool e;
};
__global__ void mixed(int *out, Mixed one, char two, Mixed three, bool four) {
  out[threadIdx.x] = one.a + static_cast<int>(one.b) + one.c[2] + static_cast<int>(one.d.z) + one.e + two +
                     static_cast<int>(three.b) + four;
}
enum class Choice : unsigned char { first = 1, second };
__global__ void choose(int *out, Choice choice, const int *const *) { out[threadIdx.x] = static_cast<int>(choice); }
// A kernel of a callable.
template <class Function> __global__ void apply(int *out, Function function) { out[threadIdx.x] = function(threadIdx.x); }
struct Adder {
  int by;
  __device__ int operator()(int i) const { return i + by; }
};
// A default argument, and a kernel that is declared before it is defined.
__global__ void later(int *out, int x = 4);
int launch_later() {
  later<<<1, threads>>>(out);
  return check("a default argument", [](int i) { return i + 4; });
}
__global__ void later(int *out, int x) { out[threadIdx.x] = static_cast<int>(threadIdx.x) + x; }

int main() {
  CHECK(cudaMallocManaged(&out, threads * sizeof(int)));
  std::memset(out, 0, threads * sizeof(int));
  int failures = tables();
#define LAUNCH_SIZE(N)                                                                                                \
  LAUNCH(constant<N>, out, 0);                                                                                       \
  failures += check("a kernel of a macro", [](int) { return N; });
  FOR_EACH_SIZE(LAUNCH_SIZE)
  failures += launch_sum(0) + launch_sum(6, 1, 2.5, 3.9f) + launch_sum(10, 'a' - 'a', 1u, 2ll, short(3), 4);
  failures += launch("a kernel as an argument", plus, out, 3) + launch("the same of a template", sum<int>, out, 3);
  failures += policies<int>(std::make_integer_sequence<int, 4>()) +
              policies<double>(std::make_integer_sequence<int, 3>());
  Large numbers;
  for (int i = 0; i < 1021; ++i)
    numbers.numbers[i] = i;
  large<<<1, threads>>>(out, numbers, 5);
  failures += check("a large argument", [](int i) { return i * 32 + 1020 + 5; });
  mixed<<<1, threads>>>(out, Mixed{1, 2.5, {3, 4, 5}, make_float3(6, 7, 8), true}, 9, Mixed{0, 10, {}, {}, false}, true);
  failures += check("mixed arguments", [](int) { return 1 + 2 + 5 + 8 + 1 + 9 + 10 + 1; });
  choose<<<1, threads>>>(out, Choice::second, nullptr);
  failures += check("an enumerator", [](int) { return 2; });
  apply<<<1, threads>>>(out, Adder{3});
  failures += check("a callable", [](int i) { return i + 3; });
  failures += launch_later();
  CHECK(cudaFree(out));
  if (failures == 0)
    std::puts("PASS");
  return failures;
}
