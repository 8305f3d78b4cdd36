// Code for devices alone is chosen as in a parse for devices, other code as for the host.
#include <cstdio>

#if __CUDA_ARCH__ >= 120
// Older devices have a kernel that does nothing.
__global__ void mark(int *p) { p[0] = 1; }
#else
__global__ void mark(int *) {}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *p, double value);
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double *p, double value) { return *p + value; }
#endif

#ifdef __CUDA_ARCH__
#define CONSTANT 5
#else
#define CONSTANT 6
#endif

struct Chosen {
  static __device__ int of_device() {
#ifdef __CUDA_ARCH__
    return __CUDA_ARCH__ >= 700 ? 2 : 1;
#else
    return 0;
#endif
  }
  static __host__ int of_host() {
#ifdef __CUDA_ARCH__
    return 0;
#elif defined(__CUDACC__)
    return 3;
#endif
  }
  int value{};
};

template <class Type> __device__ inline Type four() {
  Type result{};
  for (int i = 0; i < 4; ++i) {
#if __CUDA_ARCH__ < 300
    result = 0;
#elif __CUDA_ARCH__ < 3000
    result += 1;
#else
    result = 0;
#endif
  }
  return result;
}

#if __CUDA_ARCH__ >= 120
int host_function() { return 0; }
__device__ int other() { return 1; }
#else
int host_function() { return 1; }
__device__ int other() { return 2; }
#endif

// Macros, types and functions of the host beside code for devices.
#ifdef __CUDA_ARCH__
#define PRECISION 1
__device__ int precise() { return PRECISION; }
#else
#define PRECISION 2
#endif
#ifdef __CUDA_ARCH__
typedef float real;
__device__ inline real real_value() { return 1; }
#else
typedef double real;
#endif
#ifdef __CUDA_ARCH__
__device__ int helper(double x) { return static_cast<int>(x); }
#else
extern "C" int helper(int x) { return x; }
#endif
struct Pair {
  int a, b;
};
#ifdef __CUDA_ARCH__
__device__ Pair paired(int x) { return {x, x}; }
#else
struct Pair pair_of(int x) { return {x, x}; }
#endif

// Braces before the body.
__device__ auto in_type(int x) -> decltype(int{x}) {
#ifdef __CUDA_ARCH__
  return x + 1;
#else
  return 0;
#endif
}
__device__ int in_default(Pair pair = Pair{3, 4}) {
#ifdef __CUDA_ARCH__
  return pair.a;
#else
  return 0;
#endif
}
template <class Type> struct Base {
  Type value;
};
struct Made : Base<Base<int>> {
  int b;
  __device__ Made(int x) : Base<Base<int>>{{x}}, b{x} {
#ifdef __CUDA_ARCH__
    b += 10;
#endif
  }
};

// An operator whose template is named.
template <class Type> struct Printed;
template <class Type> Printed<Type> &operator<<(Printed<Type> &out, int);
template <class Type> struct Printed {
  Type sum;
  friend Printed &operator<< <Type>(Printed &out, int value);
};
template <class Type> Printed<Type> &operator<<(Printed<Type> &out, int value) {
  out.sum += value;
  return out;
}

__global__ void choose(int *p, double *d) {
  p[1] = Chosen::of_device();
  p[2] = four<int>();
  p[3] = CONSTANT;
  p[4] = other();
  p[5] = in_type(4);
  p[6] = in_default();
  p[7] = Made(1).b;
  atomicAdd(d, 0.5);
}

int main() {
  int *p = nullptr, found[8] = {};
  double *d = nullptr, sum = 1;
  cudaMalloc(&p, sizeof found);
  cudaMalloc(&d, sizeof sum);
  cudaMemset(p, 0, sizeof found);
  cudaMemcpy(d, &sum, sizeof sum, cudaMemcpyHostToDevice);
  mark<<<1, 1>>>(p);
  choose<<<1, 1>>>(p, d);
  cudaMemcpy(found, p, sizeof found, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost);
  const bool right = found[0] == 1 && found[1] == 2 && found[2] == 4 && found[3] == 6 && found[4] == 2 &&
                     found[5] == 5 && found[6] == 3 && found[7] == 11 && sum == 1.5 && Chosen::of_host() == 3 &&
                     host_function() == 1;
  Printed<int> printed{1};
  printed << 2 << 3;
  const bool of_host = PRECISION == 2 && sizeof(real) == 8 && helper(3) == 3 && pair_of(4).b == 4 && printed.sum == 6;
  std::puts(right && of_host ? "PASS" : "FAIL");
}
