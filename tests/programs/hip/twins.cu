// levels: 0 2
// Functions that the host and devices have under one name: each side gets its own, also through
// code that is for both.
#include <cstdio>

__host__ int side(int x) { return x + 1; }
__device__ int side(int x) { return x + 100; }
inline int fast(int x) { return x + 1; }
__device__ inline int fast(int x) { return x + 100; }
__host__ int quiet(int x) noexcept { return x + 1; }
__device__ int quiet(int x) { return x + 100; }
template <class Type> Type generic(Type x) { return x + 1; }
template <class Type> __device__ Type generic(Type x) { return x + 100; }

struct Constructed {
  int v;
  __host__ Constructed() : v(1) {}
  __device__ Constructed() : v(100) {}
  __host__ Constructed &operator=(int x) { return v = x + 1, *this; }
  __device__ Constructed &operator=(int x) { return v = x + 100, *this; }
  __host__ operator int() const { return v + 1; }
  __device__ operator int() const { return v + 100; }
};

template <class Type> struct Members {
  Type v;
  __host__ Type get() const { return v + 1; }
  __device__ Type get() const { return v + 100; }
  template <class To> __host__ To as() const { return static_cast<To>(v + 1); }
  template <class To> __device__ To as() const { return static_cast<To>(v + 100); }
};

__host__ __device__ int both(int x) { return side(x); }
template <class Type> __host__ __device__ Type both_generic(Type x) { return fast(x); }
struct Both {
  Constructed member;
  __host__ __device__ int operator()(int x) const { return quiet(x) + Members<int>{x}.get() + member.v; }
};

template <class Type> __host__ __device__ Type both_of_templates(Type x) {
  return generic(x) + Members<Type>{x}.template as<Type>();
}

constexpr int count = 15;

template <class Function> __host__ __device__ void fill(int *o, Function plain_lambda) {
  o[10] = plain_lambda(0);
}

__global__ void on_device(int *o) {
  Constructed made;
  o[0] = side(0), o[1] = fast(0), o[2] = quiet(0), o[3] = generic(0), o[4] = made.v;
  made = 0;
  o[5] = made.v, o[6] = made - 100;
  o[7] = Members<int>{0}.get(), o[8] = Members<int>{0}.as<int>();
  o[9] = both(0);
  fill(o, [=](int x) { return side(x); });
  o[11] = both_generic(0), o[12] = Both()(0);
  auto lambda = [] __host__ __device__(int x) { return fast(x); };
  o[13] = lambda(0);
  o[14] = both_of_templates(0L);
}

void on_host(int *o) {
  Constructed made;
  o[0] = side(0), o[1] = fast(0), o[2] = quiet(0), o[3] = generic(0), o[4] = made.v;
  made = 0;
  o[5] = made.v, o[6] = made - 1;
  o[7] = Members<int>{0}.get(), o[8] = Members<int>{0}.as<int>();
  o[9] = both(0);
  fill(o, [=](int x) { return side(x); });
  o[11] = both_generic(0), o[12] = Both()(0);
  auto lambda = [] __host__ __device__(int x) { return fast(x); };
  o[13] = lambda(0);
  o[14] = both_of_templates(0L);
}

bool equal(const int *o, int unit) {
  for (int i = 0; i < count; ++i)
    if (o[i] != (i == 12 ? 3 * unit : i == 14 ? 2 * unit : unit))
      return std::printf("%d of %d: %d\n", i, unit, o[i]), false;
  return true;
}

int main() {
  int *o = nullptr, own[count];
  if (cudaMallocManaged(&o, sizeof own) != cudaSuccess)
    return std::puts("no memory"), 1;
  on_device<<<1, 1>>>(o);
  if (cudaDeviceSynchronize() != cudaSuccess)
    return std::printf("%s\n", sinter_last_error()), 1;
  on_host(own);
  if (!equal(o, 100) || !equal(own, 1))
    return 1;
  cudaFree(o);
  std::puts("PASS");
}
