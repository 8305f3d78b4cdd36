// Kernels with floating-point numbers, in rows of all sizes and item by item, have the bits that a
// loop on the host has: nothing is fused, and no function has other results in rows.
// options: -ffp-contract=off
// devices: host
// rows: off 4 8 16 32 64
#include <sycl/sycl.hpp>

#include "../check.hpp"

#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace {

// Some items are left over in rows of each size.
constexpr std::size_t items = 1000 + 37, group_size = 61, inputs = 512;

// The numbers that a work-item reads. They are of all magnitudes, some are no numbers.
template <class T> struct input {
  const T *numbers;
  const std::uint32_t *integers;
  T number(std::size_t i) const { return numbers[i % inputs]; }
  std::uint32_t integer(std::size_t i) const { return integers[i % inputs]; }
  T small(std::size_t i) const { return static_cast<T>(static_cast<int>(integer(i) % 4001) - 2000) / T(512); }
};

struct mandelbrot {
  template <class T> static T of(std::size_t i, const input<T> &) {
    const T x = T(i % 40) / T(13) - T(2), y = T(i / 40) / T(11) - T(1.2);
    T a = 0, b = 0;
    int rounds = 0;
    for (; rounds < 60 && a * a + b * b < T(4); ++rounds) {
      const T next = a * a - b * b + x;
      b = T(2) * a * b + y;
      a = next;
    }
    return a * b + T(rounds);
  }
};

struct bodies {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    T sum = 0;
    for (std::size_t k = 0; k < 40; ++k) {
      const T x = in.small(k) - in.small(i), y = in.small(k + 100) - in.small(i + 100);
      const T square = x * x + y * y + T(0.01);
      sum += x / (square * sycl::sqrt(square));
    }
    return sum;
  }
};

// Each work-item ends in another round.
struct newton {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    const T wanted = sycl::fabs(in.small(i)) + T(1);
    T x = wanted;
    int rounds = 0;
    while (sycl::fabs(x * x - wanted) > T(1e-5) * wanted && rounds < 50) {
      x = (x + wanted / x) * T(0.5);
      ++rounds;
    }
    return x + T(rounds);
  }
};

struct branches {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    T x = in.small(i);
    for (std::size_t k = 0; k < in.integer(i) % 9; ++k) {
      switch ((in.integer(i + k) >> 3) % 6) {
      case 0: x = x * T(3) - T(1); break;
      case 1:
        if (x < T(0))
          continue;
        x = x / T(7);
        break;
      case 2: x = T(1) / (x + T(3)); [[fallthrough]];
      case 3: x += in.small(k); break;
      case 4:
        if (x > T(2))
          return x * T(k);
        [[fallthrough]];
      default: x = -x;
      }
    }
    return x;
  }
};

// A private array with elements that differ between work-items.
struct sorted {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    T all[9];
    for (std::size_t k = 0; k < 9; ++k)
      all[k] = in.small(i * 5 + k * 3);
    for (int k = 1; k < 9; ++k) {
      const T x = all[k];
      int at = k;
      for (; at > 0 && all[at - 1] > x; --at)
        all[at] = all[at - 1];
      all[at] = x;
    }
    return all[in.integer(i) % 9] * T(2) - all[4];
  }
};

// Infinities, denormal numbers, both zeros, and what is no number.
struct special {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    const T a = in.number(i), b = in.number(i * 7 + 1);
    T x = a * b;
    x = x < a ? x + b : x - b;
    x = x != x ? T(5) : x;
    x = sycl::isinf(x) ? sycl::copysign(T(9), x) : x;
    x += sycl::fmin(a, T(3)) * T(0.5);
    x = x != x ? T(6) : x;
    return a == T(0) ? x / (T(1) + b * b) : x;
  }
};

struct converted {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    const T x = in.small(i) * T(1000);
    const int whole = static_cast<int>(x);
    const auto narrow = static_cast<signed char>(whole);
    const auto wide = static_cast<std::uint64_t>(in.integer(i)) * in.integer(i + 1);
    const sycl::half half = static_cast<float>(x * T(0.01));
    return T(whole) + T(narrow) * T(0.25) + T(wide) / T(3) + static_cast<float>(half * half) +
           T(static_cast<long>(wide % 1001) - 500) + T(static_cast<unsigned short>(whole));
  }
};

struct rounded {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    const T x = in.small(i) * T(3.3);
    return sycl::floor(x) + sycl::ceil(x) * T(2) + sycl::trunc(x) * T(4) + sycl::rint(x) * T(8) +
           sycl::fma(x, x, in.small(i + 3)) + sycl::fmax(x, in.small(i + 9)) + sycl::fabs(x) * T(16);
  }
};

// Searches by halves, to which each lane takes another way.
struct searched {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    const T wanted = in.small(i);
    std::size_t low = 0, high = inputs;
    while (low < high) {
      const std::size_t middle = (low + high) / 2;
      if (T(int(middle) * 8 - 2000) / T(512) < wanted)
        low = middle + 1;
      else
        high = middle;
    }
    return T(low) + wanted;
  }
};

// A number that no earlier one of its lane has met, of nested loops with exits from within.
struct collatz {
  template <class T> static T of(std::size_t i, const input<T> &in) {
    T sum = 0;
    for (std::uint32_t start = 1; start < 4; ++start) {
      std::uint32_t n = in.integer(i + start) % 60 + 2, steps = 0;
      for (;;) {
        if (n == 1)
          break;
        if (steps++ > 70)
          return sum - T(n);
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        sum += T(1) / T(n);
      }
    }
    return sum;
  }
};

// Sums through local memory, with barriers in a loop.
template <class T> T of_group(sycl::nd_item<1> item, const sycl::local_accessor<T> &tile, const input<T> &in) {
  const std::size_t local = item.get_local_id(0), count = item.get_local_range(0);
  T x = in.small(item.get_global_id(0));
  for (std::size_t distance = 1; distance < count; distance *= 2) {
    tile[local] = x;
    sycl::group_barrier(item.get_group());
    const T other = tile[(local + distance) % count];
    x = local % 3 == 0 ? x - other * T(0.5) : x + other / T(3);
    sycl::group_barrier(item.get_group());
  }
  return x;
}

template <class T> std::vector<T> of_group_on_host(std::size_t first, const input<T> &in) {
  std::vector<T> all(group_size), tile;
  for (std::size_t k = 0; k < group_size; ++k)
    all[k] = in.small(first + k);
  for (std::size_t distance = 1; distance < group_size; distance *= 2) {
    tile = all;
    for (std::size_t k = 0; k < group_size; ++k) {
      const T other = tile[(k + distance) % group_size];
      all[k] = k % 3 == 0 ? all[k] - other * T(0.5) : all[k] + other / T(3);
    }
  }
  return all;
}

// The bits of what is no number are open.
template <class T> bool is_same(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0 || (a != a && b != b); }

template <class T> T number_of(std::uint32_t x) {
  using limits = std::numeric_limits<T>;
  const T list[] = {T(0), -T(0), limits::infinity(), -limits::infinity(), limits::quiet_NaN(),
                    limits::denorm_min() * T(3), -limits::min() / T(2), limits::max() / T(2)};
  const T plain = (T(x % 5000) - T(2500)) / T(x % 97 + 1);
  return x % 11 < 3 ? list[x / 11 % 8] : plain;
}

template <class T> struct kernels {
  sycl::queue &queue;
  T *numbers, *out;
  std::uint32_t *integers;

  explicit kernels(sycl::queue &owner)
      : queue(owner), numbers(sycl::malloc_shared<T>(inputs, queue)), out(sycl::malloc_shared<T>(items, queue)),
        integers(sycl::malloc_shared<std::uint32_t>(inputs, queue)) {
    std::uint32_t state = 12345;
    for (std::size_t i = 0; i < inputs; ++i) {
      integers[i] = state >> 4;
      numbers[i] = number_of<T>(state >> 7);
      state = state * 1664525u + 1013904223u;
    }
  }
  ~kernels() {
    for (void *memory : {static_cast<void *>(numbers), static_cast<void *>(out), static_cast<void *>(integers)})
      sycl::free(memory, queue);
  }

  input<T> in() const { return {numbers, integers}; }

  // In a range, and in groups whose size is no multiple of a row.
  template <class Kernel> void check() {
    const input<T> given = in();
    T *to = out;
    queue.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) { to[i] = Kernel::template of<T>(i, given); }).wait();
    compare<Kernel>();
    queue.parallel_for(sycl::nd_range<1>(items / group_size * group_size, group_size), [=](sycl::nd_item<1> item) {
      const std::size_t i = item.get_global_linear_id();
      to[i] = Kernel::template of<T>(i, given);
    }).wait();
    compare<Kernel>();
  }

  template <class Kernel> void compare() {
    for (std::size_t i = 0; i < items; ++i) {
      const T expected = Kernel::template of<T>(i, in());
      if (!is_same(out[i], expected))
        std::printf("item %zu has %a, not %a\n", i, double(out[i]), double(expected));
      CHECK(is_same(out[i], expected));
      out[i] = T(-1);
    }
  }

  void check_groups() {
    const input<T> given = in();
    T *to = out;
    queue.submit([&](sycl::handler &group) {
      const sycl::local_accessor<T> tile(group_size, group);
      group.parallel_for(sycl::nd_range<1>(items / group_size * group_size, group_size), [=](sycl::nd_item<1> item) {
        to[item.get_global_id(0)] = of_group<T>(item, tile, given);
      });
    });
    queue.wait();
    for (std::size_t first = 0; first + group_size <= items; first += group_size) {
      const std::vector<T> expected = of_group_on_host<T>(first, given);
      for (std::size_t k = 0; k < group_size; ++k)
        CHECK(is_same(to[first + k], expected[k]));
    }
  }

  void run() {
    check<mandelbrot>();
    check<bodies>();
    check<newton>();
    check<branches>();
    check<sorted>();
    check<special>();
    check<converted>();
    check<rounded>();
    check<searched>();
    check<collatz>();
    check_groups();
  }
};

} // namespace

int main() {
  sycl::queue queue;
  kernels<float>(queue).run();
  if (queue.get_device().has(sycl::aspect::fp64))
    kernels<double>(queue).run();
  return pass();
}
