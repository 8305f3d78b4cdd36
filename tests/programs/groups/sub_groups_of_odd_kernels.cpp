// Kernels that exchange values in sub-groups of a required size and hold what rows of the host
// treat apart: structures by value, integers of 128 bits, loops with two entries, and calls through
// pointers. The results are right, or the kernel is refused with a reason. levels: 0 2
#include "sub_group_cases.hpp"

#include <string>

namespace {

constexpr std::size_t items = 192, group_size = 96;

struct settings {
  int factors[5];
  struct {
    short offset;
    float share;
  } inner;
  unsigned char last;
};

// Tells which factor has which value.
inline int weighted(const settings &of) {
  const int *f = of.factors;
  return f[0] + f[1] * 3 + f[2] * 5 + f[3] * 7 + f[4] * 11;
}

// The error of a launch; empty if it ran.
template <unsigned Size, class Kernel> std::string run(sycl::queue &queue, const Kernel &kernel) {
  try {
    queue.parallel_for(sycl::nd_range<1>(items, group_size),
                       [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(Size)]] { kernel(item); }).wait();
    return {};
  } catch (const sycl::exception &error) {
  CHECK(error.code() == sycl::errc::build);
    return error.what();
  }
}

// The reason has the kernel and what it holds. Other targets than the host refuse it in any kernel.
void check_refusal(const std::string &error, unsigned size, const char *reason) {
  CHECK(error.rfind("cannot translate kernel `", 0) == 0);
  const bool is_host = error.find(" for host:") != std::string::npos;
  CHECK(!is_host || error.find("sub-groups of " + std::to_string(size)) != std::string::npos);
  CHECK(error.find(reason) != std::string::npos);
}

template <unsigned Size> void check_structure(sycl::queue &queue) {
  shared_array<float> out(queue, items);
  const settings given = {{3, -1, 4, 1, -5}, {-7, 0.25f}, 9};
  const std::string error = run<Size>(queue, [given, out = out.get()](const sycl::nd_item<1> &item) {
    const auto part = item.get_sub_group();
    const std::size_t i = item.get_global_id(0);
    const int other = sycl::permute_group_by_xor(part, given.factors[i % 5], 1);
    out[i] = other * given.inner.share + given.inner.offset + given.last;
  });
  CHECK(error.empty());
  for (std::size_t i = 0; i < items; ++i)
    CHECK_EQUAL(out[i], given.factors[(i ^ 1) % 5] * 0.25f - 7 + 9);
}

// Each work-item changes its own structure.
template <unsigned Size> void check_changed_structure(sycl::queue &queue) {
  shared_array<int> out(queue, items);
  const settings given = {{3, -1, 4, 1, -5}, {-7, 0.25f}, 9};
  const std::string error = run<Size>(queue, [given, out = out.get()](const sycl::nd_item<1> &item) {
    const auto part = item.get_sub_group();
    const int i = static_cast<int>(item.get_global_id(0));
    settings own = given;
    own.factors[i % 5] += i;
    own.factors[(i + sycl::permute_group_by_xor(part, own.factors[i % 3], 1)) % 5] *= 2;
    out[i] = weighted(own);
  });
  CHECK(error.empty());
  const auto changed = [&](int i) {
    settings own = given;
    own.factors[i % 5] += i;
    return own;
  };
  for (int i = 0; i < int(items); ++i) {
    settings own = changed(i);
    // A negative rest is no index: the values above keep it positive.
    own.factors[(i + changed(i ^ 1).factors[(i ^ 1) % 3]) % 5] *= 2;
    CHECK_EQUAL(out[std::size_t(i)], weighted(own));
  }
}

template <unsigned Size> void check_long_integers(sycl::queue &queue) {
  using wide = unsigned __int128;
  shared_array<std::uint64_t> out(queue, 2 * items);
  const wide factor = wide(0x123456789abcdef) << 64 | 0xfedcba987654321;
  const std::string error = run<Size>(queue, [out = out.get()](const sycl::nd_item<1> &item) {
    const auto part = item.get_sub_group();
    const std::size_t i = item.get_global_id(0);
    const wide product = factor * sycl::permute_group_by_xor(part, i, 1);
    out[2 * i] = static_cast<std::uint64_t>(product);
    out[2 * i + 1] = static_cast<std::uint64_t>(product >> 64);
  });
  if (!error.empty())
    return check_refusal(error, Size, "a value of type `i128`");
  for (std::size_t i = 0; i < items; ++i) {
    const wide product = factor * (i ^ 1);
    CHECK_EQUAL(out[2 * i], static_cast<std::uint64_t>(product));
    CHECK_EQUAL(out[2 * i + 1], static_cast<std::uint64_t>(product >> 64));
  }
}

// Some work-items enter the loop in its middle.
inline unsigned entered_twice(unsigned i) {
  unsigned x = i, rounds = 0;
  if (i % 3 == 1)
    goto middle;
start:
  x = x * 5 + 1;
middle:
  x ^= x >> 3;
  if (++rounds < i % 7 + 2) {
    if (x % 4 == 3)
      goto middle;
    goto start;
  }
  return x + rounds;
}

template <unsigned Size> void check_two_entries(sycl::queue &queue) {
  shared_array<unsigned> out(queue, items);
  const std::string error = run<Size>(queue, [out = out.get()](const sycl::nd_item<1> &item) {
    const auto part = item.get_sub_group();
    const std::size_t i = item.get_global_id(0);
    out[i] = sycl::permute_group_by_xor(part, entered_twice(static_cast<unsigned>(i)), 2);
  });
  CHECK(error.empty());
  for (std::size_t i = 0; i < items; ++i)
    CHECK_EQUAL(out[i], entered_twice(static_cast<unsigned>(i ^ 2)));
}

struct number {
  virtual unsigned of(unsigned x) const = 0;
};
struct product : number {
  unsigned factor;
  explicit product(unsigned f) : factor(f) {}
  unsigned of(unsigned x) const override { return x * factor; }
};
struct rest : number {
  unsigned divisor;
  explicit rest(unsigned d) : divisor(d) {}
  unsigned of(unsigned x) const override { return x % divisor; }
};

inline unsigned chosen(unsigned i) {
  const product times(i + 3);
  const rest remaining(i + 5);
  const number &one = i % 3 == 0 ? static_cast<const number &>(times) : remaining;
  return one.of(i * 7 + 1000);
}

template <unsigned Size> void check_calls(sycl::queue &queue) {
  shared_array<unsigned> out(queue, items);
  const std::string error = run<Size>(queue, [out = out.get()](const sycl::nd_item<1> &item) {
    const auto part = item.get_sub_group();
    const std::size_t i = item.get_global_id(0);
    out[i] = sycl::permute_group_by_xor(part, chosen(static_cast<unsigned>(i)), 1);
  });
  if (!error.empty())
    return check_refusal(error, Size, "a call through a pointer");
  for (std::size_t i = 0; i < items; ++i)
    CHECK_EQUAL(out[i], chosen(static_cast<unsigned>(i ^ 1)));
}

template <unsigned Size> struct odd {
  static void run(sycl::queue &queue) {
    check_structure<Size>(queue);
    check_changed_structure<Size>(queue);
    check_long_integers<Size>(queue);
    check_two_entries<Size>(queue);
    check_calls<Size>(queue);
  }
};

} // namespace

int main() {
  sycl::queue queue;
  for_each_size<odd>(queue);
  return pass();
}
