// Fused multiplications of bfloat16 and half are rounded once: the product lies in the middle of
// two numbers, and a summand too small for float decides between them.
#include <sycl/sycl.hpp>

#include <cmath>
#include <vector>

#include "../check.hpp"
#include "../subnormals.hpp"

namespace {

using sycl::half;
using sycl::ext::oneapi::bfloat16;

struct sum {
  float x, y, z, expected, found;
};

float fused(bfloat16 x, bfloat16 y, bfloat16 z) { return sycl::ext::oneapi::experimental::fma(x, y, z); }
float fused(half x, half y, half z) { return sycl::fma(x, y, z); }

// 3 * factor has one bit more than the type, which has `digits`.
std::vector<sum> sums(int digits, int least, int most, float tiny) {
  std::vector<sum> made;
  const int middle = 1 << digits;
  for (int exponent = least; exponent <= most; exponent += 4)
    for (int factor = middle / 3 + 1; 3 * factor < 2 * middle; ++factor) {
      if (factor % 2 == 0)
        continue;
      const float x = std::ldexp(3.0f, exponent / 2), y = std::ldexp(static_cast<float>(factor),
                                 exponent - exponent / 2);
      const float product = x * y, step = std::ldexp(1.0f, exponent), even = 3 * factor % 4 == 1 ? -step : step;
      for (float sign : {1.0f, -1.0f}) {
        made.push_back({sign * x, y, 0, sign * (product + even), 0});
        made.push_back({sign * x, y, sign * tiny, sign * (product + step), 0});
        made.push_back({sign * x, y, -sign * tiny, sign * (product - step), 0});
      }
    }
  return made;
}

void check(const sum &at, const char *type, const char *where) {
  if (at.found == at.expected)
    return;
  std::printf("fma of %s on the %s: %a, %a, %a: %a, not %a\n", type, where, at.x, at.y, at.z, at.found, at.expected);
  std::exit(1);
}

template <class Type> void compare(sycl::queue &queue, const char *type, const std::vector<sum> &wanted) {
  sum *all = sycl::malloc_shared<sum>(wanted.size(), queue);
  std::copy(wanted.begin(), wanted.end(), all);
  queue.parallel_for(wanted.size(), [=](sycl::id<1> i) {
    all[i].found = fused(Type(all[i].x), Type(all[i].y), Type(all[i].z));
  }).wait();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    check(all[i], type, "device");
    all[i].found = fused(Type(all[i].x), Type(all[i].y), Type(all[i].z));
    check(all[i], type, "host");
  }
  sycl::free(all, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  const float tiny = keeps_subnormals(queue.get_device()) ? 0x1p-133f : 0x1p-126f;
  compare<bfloat16>(queue, "bfloat16", sums(8, -100, 110, tiny));
  // Products of half are below 2^16, and the smallest half is 2^-24.
  compare<half>(queue, "half", sums(11, -12, 0, 0x1p-24f));
  return pass();
}
