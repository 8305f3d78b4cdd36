// Geometric functions against long double, within the errors of section 7.4 of the OpenCL 3.0
// specification, and at numbers whose squares overflow or underflow (section 7.5.1).
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "../check.hpp"

namespace {

using wide = long double;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

template <class Type> const wide epsilon = std::ldexp(wide(1), 1 - std::numeric_limits<Type>::digits);
template <class Type> wide widened(Type x) { return static_cast<wide>(static_cast<double>(x)); }
template <> wide widened(sycl::half x) { return static_cast<float>(x); }

// In units in the last place of the exact result.
template <class Type> wide ulps(Type found, wide exact) {
  const int least = std::numeric_limits<Type>::min_exponent - 1;
  const int exponent = exact == 0 ? least : std::max(std::ilogb(exact), least);
  return std::fabs(widened(found) - exact) / std::ldexp(epsilon<Type>, exponent);
}

constexpr int count = 4096;

template <class Type, int Length> struct results {
  sycl::vec<Type, Length> x, y, normal;
  Type dot, length, distance;
};

// Numbers between -1 and 1 times a power of 2, which reaches beyond the roots of the limits.
template <class Type> Type number(std::uint64_t seed, int i) {
  constexpr int most = std::numeric_limits<Type>::max_exponent - 3, least = std::numeric_limits<Type>::min_exponent + 2;
  const int any = least + static_cast<int>(mix(static_cast<std::uint64_t>(i)) % (most - least));
  const int exponent = i % 4 != 0 ? i % 7 - 3 : any;
  const double portion = static_cast<double>(mix(seed) >> 12) * 0x1p-51 - 1;
  return static_cast<Type>(std::ldexp(portion, exponent));
}

template <class Type, int Length> void judge(const results<Type, Length> &found) {
  wide square = 0, distance = 0, dot = 0, greatest = 0;
  for (int i = 0; i < Length; ++i) {
    const wide x = widened<Type>(found.x[i]), y = widened<Type>(found.y[i]);
    square += x * x, distance += (x - y) * (x - y), dot += x * y;
    greatest = std::max({greatest, std::fabs(x), std::fabs(y)});
  }
  const wide length = std::sqrt(square);
  CHECK(ulps(found.length, length) <= 2.75L + 0.5L * Length);
  CHECK(ulps(found.distance, std::sqrt(distance)) <= 5.5L + 2 * Length);
  // A product that overflows or underflows has no error of its own.
  if (greatest * greatest < widened(std::numeric_limits<Type>::max()) / 4 &&
      greatest * greatest * epsilon<Type> > widened(std::numeric_limits<Type>::min()))
    CHECK(std::fabs(widened(found.dot) - dot) <= greatest * greatest * (2 * Length - 1) * epsilon<Type>);
  for (int i = 0; i < Length; ++i)
    CHECK(ulps<Type>(found.normal[i], widened<Type>(found.x[i]) / length) <= 2 + Length);
}

template <class Type, int Length> void vectors(sycl::queue &queue) {
  auto *all = sycl::malloc_shared<results<Type, Length>>(count, queue);
  for (int i = 0; i < count; ++i)
    for (int element = 0; element < Length; ++element) {
      const auto seed = static_cast<std::uint64_t>(i * 8 + element);
      all[i].x[element] = number<Type>(seed * 2 + 1, i);
      all[i].y[element] = number<Type>(seed * 2 + 2, i);
    }
  queue.parallel_for(count, [=](sycl::id<1> i) {
    auto &at = all[i];
    at.dot = sycl::dot(at.x, at.y);
    at.length = sycl::length(at.x);
    at.distance = sycl::distance(at.x, at.y);
    at.normal = sycl::normalize(at.x);
  }).wait();
  for (int i = 0; i < count; ++i)
    judge(all[i]);
  sycl::free(all, queue);
}

template <class Type> void lengths(sycl::queue &queue) {
  vectors<Type, 2>(queue);
  vectors<Type, 3>(queue);
  vectors<Type, 4>(queue);
}

template <class Type> void crosses(sycl::queue &queue) {
  struct both {
    sycl::vec<Type, 3> x, y, found;
  };
  both *all = sycl::malloc_shared<both>(count, queue);
  for (int i = 0; i < count; ++i)
    for (int element = 0; element < 3; ++element) {
      all[i].x[element] = number<Type>(static_cast<std::uint64_t>(i * 8 + element), 1);
      all[i].y[element] = number<Type>(static_cast<std::uint64_t>(i * 8 + element + 3), 2);
    }
  queue.parallel_for(count, [=](sycl::id<1> i) { all[i].found = sycl::cross(all[i].x, all[i].y); }).wait();
  for (int i = 0; i < count; ++i)
    for (int element = 0; element < 3; ++element) {
      const int next = (element + 1) % 3, last = (element + 2) % 3;
      wide greatest = 0;
      for (int k = 0; k < 3; ++k)
        greatest = std::max({greatest, std::fabs(wide(all[i].x[k])), std::fabs(wide(all[i].y[k]))});
      const wide exact = wide(all[i].x[next]) * all[i].y[last] - wide(all[i].x[last]) * all[i].y[next];
      CHECK(std::fabs(all[i].found[element] - exact) <= greatest * greatest * 3 * epsilon<Type>);
    }
  sycl::free(all, queue);
}

void fast(sycl::queue &queue) {
  struct both {
    sycl::float3 x, y, normal;
    float length, distance;
  };
  both *all = sycl::malloc_shared<both>(count, queue);
  for (int i = 0; i < count; ++i)
    for (int element = 0; element < 3; ++element) {
      all[i].x[element] = number<float>(static_cast<std::uint64_t>(i * 8 + element), 1);
      all[i].y[element] = number<float>(static_cast<std::uint64_t>(i * 8 + element + 3), 2);
    }
  queue.parallel_for(count, [=](sycl::id<1> i) {
    both &at = all[i];
    at.length = sycl::fast_length(at.x);
    at.distance = sycl::fast_distance(at.x, at.y);
    at.normal = sycl::fast_normalize(at.x);
  }).wait();
  for (int i = 0; i < count; ++i) {
    wide square = 0, distance = 0;
    for (int k = 0; k < 3; ++k) {
      const wide x = all[i].x[k], y = all[i].y[k];
      square += x * x, distance += (x - y) * (x - y);
    }
    CHECK(ulps(all[i].length, std::sqrt(square)) <= 8191.5L + 3);
    CHECK(ulps(all[i].distance, std::sqrt(distance)) <= 8191.5L + 6);
    for (int k = 0; k < 3; ++k)
      CHECK(ulps<float>(all[i].normal[k], all[i].x[k] / std::sqrt(square)) <= 8192 + 3);
  }
  sycl::free(all, queue);
}

template <class Type> void limits(sycl::queue &queue) {
  using vector = sycl::vec<Type, 2>;
  const Type inf = std::numeric_limits<Type>::infinity(), nan = std::numeric_limits<Type>::quiet_NaN();
  const Type most = std::numeric_limits<Type>::max(), one = static_cast<Type>(1.0f), zero = static_cast<Type>(0.0f);
  vector *found = sycl::malloc_shared<vector>(6, queue);
  Type *sizes = sycl::malloc_shared<Type>(2, queue);
  queue.single_task([=] {
    found[0] = sycl::normalize(vector(zero, -zero));
    found[1] = sycl::normalize(vector(inf, one));
    found[2] = sycl::normalize(vector(-inf, inf));
    found[3] = sycl::normalize(vector(nan, one));
    found[4] = sycl::normalize(vector(most, most));
    found[5] = sycl::normalize(vector(-inf, zero));
    sizes[0] = sycl::length(vector(inf, one));
    sizes[1] = sycl::length(vector(zero, -zero));
  }).wait();
  const auto is = [&](int i, double x, double y) {
    return ulps<Type>(found[i][0], x) <= 4 && ulps<Type>(found[i][1], y) <= 4;
  };
  const double root = 0.70710678118654752440;
  CHECK(is(0, 0, 0));
  CHECK(is(1, 1, 0));
  CHECK(is(2, -root, root));
  CHECK(std::isnan(widened<Type>(found[3][0])) && std::isnan(widened<Type>(found[3][1])));
  CHECK(is(4, root, root));
  CHECK(is(5, -1, 0));
  CHECK(std::isinf(widened(sizes[0])) && widened(sizes[1]) == 0);
  sycl::free(found, queue);
  sycl::free(sizes, queue);
}

} // namespace

int main() {
  sycl::queue queue;
  lengths<float>(queue);
  lengths<double>(queue);
  lengths<sycl::half>(queue);
  crosses<float>(queue);
  crosses<double>(queue);
  fast(queue);
  limits<float>(queue);
  limits<double>(queue);
  limits<sycl::half>(queue);
  return pass();
}
