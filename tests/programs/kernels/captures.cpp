// Captures of all kinds: scalars, nested structs, arrays, padding, enums, bools, no captures.
// levels: 0 2 3
#include <sycl/sycl.hpp>

#include <array>
#include <cstdint>
#include <utility>

#include "../check.hpp"

enum class colour : std::uint8_t { red = 3, green = 200 };

struct inner {
  char tag;
  double weight;
  bool flags[3];
};
struct outer {
  short head;
  inner parts[2];
  struct {
  } nothing;
  float matrix[2][3];
  const int *pointer;
  colour shade;
};
struct base {
  int x;
};
struct derived : base {
  long y;
};
struct __attribute__((packed)) tight {
  char a;
  int b;
};
union either {
  float real;
  unsigned bits;
};

int main() {
  sycl::queue queue;
  double *out = sycl::malloc_shared<double>(32, queue);
  int *numbers = sycl::malloc_shared<int>(4, queue);
  for (int i = 0; i < 4; ++i)
    numbers[i] = i * 11;

  const bool yes = true, no = false;
  const char c = 'c';
  const signed char sc = -5;
  const unsigned char uc = 250;
  const short s = -3000;
  const unsigned short us = 60000;
  const int i32 = -123456;
  const unsigned u32 = 4000000000u;
  const long i64 = -(1l << 40);
  const unsigned long u64 = ~0ul;
  const float f = 0.25f;
  const double d = -1e300;
  queue.single_task([=] {
    out[0] = yes;
    out[1] = no;
    out[2] = c;
    out[3] = sc;
    out[4] = uc;
    out[5] = s;
    out[6] = us;
    out[7] = i32;
    out[8] = u32;
    out[9] = static_cast<double>(i64);
    out[10] = u64 == ~0ul;
    out[11] = f;
    out[12] = d;
  }).wait();
  const double expected[] = {1,       0,            'c',              -5, 250,  -3000, 60000,
                             -123456, 4000000000.0, -1099511627776.0, 1,  0.25, -1e300};
  for (int i = 0; i < 13; ++i)
    CHECK_EQUAL(out[i], expected[i]);

  outer big{};
  big.head = -7;
  big.parts[0] = {'a', 1.5, {true, false, true}};
  big.parts[1] = {'b', 2.5, {false, true, false}};
  for (int i = 0; i < 6; ++i)
    big.matrix[i / 3][i % 3] = i * 0.5f;
  big.pointer = numbers;
  big.shade = colour::green;
  queue.single_task([=] {
    out[0] = big.head;
    out[1] = big.parts[1].tag + big.parts[0].weight + big.parts[1].weight;
    out[2] = big.parts[0].flags[0] * 4 + big.parts[0].flags[1] * 2 + big.parts[1].flags[1];
    out[3] = big.matrix[1][2] + big.matrix[0][1];
    out[4] = big.pointer[3];
    out[5] = static_cast<int>(big.shade);
  }).wait();
  CHECK_EQUAL(out[0], -7);
  CHECK_EQUAL(out[1], 'b' + 4.0);
  CHECK_EQUAL(out[2], 5);
  CHECK_EQUAL(out[3], 3.0);
  CHECK_EQUAL(out[4], 33);
  CHECK_EQUAL(out[5], 200);

  derived child;
  child.x = 4;
  child.y = 5;
  const tight packed{1, 0x01020304};
  either both;
  both.real = 1.0f;
  const std::array<int, 5> array{1, 2, 3, 4, 5};
  const std::pair<char, double> pair{'p', 0.5};
  int raw[3] = {7, 8, 9};
  queue.parallel_for(5, [=](int i) {
    out[i] = array[static_cast<unsigned>(i)] + child.x * 10 + static_cast<double>(child.y) * 100;
    if (i == 0) {
      out[5] = packed.b;
      out[6] = both.bits;
      out[7] = pair.first + pair.second;
      out[8] = raw[0] * 100 + raw[1] * 10 + raw[2];
    }
  }).wait();
  for (int i = 0; i < 5; ++i)
    CHECK_EQUAL(out[i], i + 541);
  CHECK_EQUAL(out[5], 0x01020304);
  CHECK_EQUAL(out[6], 0x3f800000);
  CHECK_EQUAL(out[7], 'p' + 0.5);
  CHECK_EQUAL(out[8], 789);

  queue.single_task([] {}).wait();
  queue.parallel_for(10, [](auto) {}).wait();
  queue.parallel_for(sycl::nd_range<1>(10, 5), [](sycl::nd_item<1>) {}).wait();
  sycl::free(out, queue);
  sycl::free(numbers, queue);
  return pass();
}
