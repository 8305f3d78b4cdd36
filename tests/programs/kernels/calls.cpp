// Kernels that call free, static, templated and recursive functions, and functions marked noinline.
// levels: 0 2 3
// needs: recursion
#include <sycl/sycl.hpp>

#include "../check.hpp"

int free_function(int x) { return x * x; }
static int static_function(int x) { return x + 1; }
__attribute__((noinline)) static int not_inlined(const int *values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}
template <class T> T templated(T a, T b) { return a > b ? a - b : b - a; }
namespace {
int hidden(int x) { return x ^ 0x55; }
} // namespace

long factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
bool odd(unsigned n);
bool even(unsigned n) { return n == 0 || odd(n - 1); }
bool odd(unsigned n) { return n != 0 && even(n - 1); }

struct vector3 {
  float x, y, z;
  vector3 operator+(const vector3 &o) const { return {x + o.x, y + o.y, z + o.z}; }
  float dot(const vector3 &o) const { return x * o.x + y * o.y + z * o.z; }
  vector3 &operator*=(float s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
};

int main() {
  sycl::queue queue;
  constexpr int size = 20;
  long *out = sycl::malloc_shared<long>(size * 8, queue);
  queue.parallel_for(size, [=](int i) {
    long *mine = out + i * 8;
    mine[0] = free_function(i) + static_function(i);
    int values[16];
    for (int k = 0; k < 16; ++k)
      values[k] = k * i;
    mine[1] = not_inlined(values, 10);
    mine[2] = templated(i, 7) + static_cast<long>(templated(double(i), 3.0));
    mine[3] = hidden(i);
    mine[4] = factorial(i);
    mine[5] = fibonacci(i % 12);
    mine[6] = even(static_cast<unsigned>(i)) * 2 + odd(static_cast<unsigned>(i));
    vector3 v{float(i), 1, 2};
    v *= 2.0f;
    mine[7] = static_cast<long>((v + vector3{1, 2, 3}).dot({1, 1, 1}));
  }).wait();
  for (int i = 0; i < size; ++i) {
    const long *mine = out + i * 8;
    CHECK_EQUAL(mine[0], i * i + i + 1);
    CHECK_EQUAL(mine[1], 45 * i);
    CHECK_EQUAL(mine[2], std::abs(i - 7) + std::abs(i - 3));
    CHECK_EQUAL(mine[3], i ^ 0x55);
    CHECK_EQUAL(mine[4], factorial(i));
    CHECK_EQUAL(mine[5], fibonacci(i % 12));
    CHECK_EQUAL(mine[6], i % 2 == 0 ? 2 : 1);
    CHECK_EQUAL(mine[7], 2 * i + 12);
  }
  sycl::free(out, queue);
  return pass();
}
