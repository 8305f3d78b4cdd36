// Features that the standard offers in host code too: atomic_ref, fences, function objects,
// bit_cast, math functions and vectors. A program without kernels references no device function,
// whose call would end it.
// levels: 0 2
#include <sycl/sycl.hpp>

#include <thread>

#include "../check.hpp"

namespace {

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 unsigned_wide;

template <class T, sycl::memory_order Order = sycl::memory_order::relaxed,
          sycl::access::address_space Space = sycl::access::address_space::generic_space>
using reference = sycl::atomic_ref<T, Order, sycl::memory_scope::system, Space>;

template <class T> void check_exchanges(T first, T second) {
  T object = first, expected = second;
  const reference<T> ref(object);
  CHECK(ref.is_lock_free() && ref.load() == first && T(ref) == first);
  CHECK(!ref.compare_exchange_strong(expected, second) && expected == first && object == first);
  CHECK(ref.compare_exchange_strong(expected, second, sycl::memory_order::acq_rel, sycl::memory_order::acquire));
  CHECK(object == second && ref.exchange(first) == second && object == first);
  ref.store(second);
  CHECK(object == second && (ref = first) == first && object == first);
  while (!ref.compare_exchange_weak(expected, second, sycl::memory_order::seq_cst))
    CHECK(expected == first);
  CHECK(object == second);
}

template <class T> void check_arithmetic() {
  check_exchanges<T>(T(3), T(7));
  T object = T(10);
  const reference<T, sycl::memory_order::seq_cst, sycl::access::address_space::global_space> ref(object);
  CHECK(ref.fetch_add(T(5)) == T(10) && ref.fetch_sub(T(3)) == T(15) && object == T(12));
  CHECK((ref += T(2)) == T(14) && (ref -= T(4)) == T(10) && object == T(10));
  CHECK(ref.fetch_min(T(20)) == T(10) && ref.fetch_min(T(4)) == T(10) && object == T(4));
  CHECK(ref.fetch_max(T(2)) == T(4) && ref.fetch_max(T(9)) == T(4) && object == T(9));
}

template <class T> void check_integer() {
  check_arithmetic<T>();
  T object = T(12);
  const reference<T, sycl::memory_order::acq_rel> ref(object);
  CHECK(ref++ == T(12) && ++ref == T(14) && ref-- == T(14) && --ref == T(12));
  CHECK(ref.fetch_and(T(10)) == T(12) && ref.fetch_or(T(3)) == T(8) && ref.fetch_xor(T(1)) == T(11) && object == T(10));
  CHECK((ref &= T(6)) == T(2) && (ref |= T(5)) == T(7) && (ref ^= T(2)) == T(5) && object == T(5));
  const T largest = sycl::known_identity_v<sycl::minimum<T>, T>;
  object = largest;
  CHECK(ref.fetch_add(T(1)) == largest && object == std::numeric_limits<T>::min() && (ref -= T(1)) == largest);
}

void check_pointers() {
  double array[8] = {};
  double *object = array;
  check_exchanges<double *>(array, array + 3);
  const reference<double *> ref(object);
  CHECK(ref.fetch_add(5) == array && ref.fetch_sub(2) == array + 5 && object == array + 3);
  CHECK(ref++ == array + 3 && ++ref == array + 5 && ref-- == array + 5 && --ref == array + 3);
  CHECK((ref += 4) == array + 7 && (ref -= 7) == array);
}

template <class T> void check_threads() {
  constexpr int rounds = 20000;
  T total = 0;
  const auto work = [&] {
    for (int i = 0; i < rounds; ++i)
      reference<T>(total) += T(1);
  };
  std::thread other(work);
  work();
  other.join();
  CHECK_EQUAL(total, 2 * rounds);
}

void check_old_atomic() {
  int object = 4;
  sycl::atomic<int> old{sycl::multi_ptr<int, sycl::access::address_space::global_space>(&object)};
  CHECK(old.fetch_add(3) == 4 && sycl::atomic_fetch_max(old, 10) == 7 && sycl::atomic_load(old) == 10);
  sycl::atomic_fence(sycl::memory_order::acq_rel, sycl::memory_scope::device);
}

// Compares functions that the headers implement themselves with those of the C library.
template <class T> void check_numbers() {
  for (int i = -400; i <= 400; ++i) {
    const T x = T(i) / T(8) + T(0.01), y = T(i % 17) - T(8.3);
    int sign = 0, quotient = 0, expected = 0;
    CHECK_EQUAL(sycl::lgamma_r(x, &sign), std::lgamma(x));
    CHECK_EQUAL(sign, std::tgamma(x) < 0 && std::fabs(x) < 30 ? -1 : std::fabs(x) < 30 ? 1 : sign);
    CHECK_EQUAL(sycl::remquo(x, y, &quotient), std::remquo(x, y, &expected));
    CHECK((quotient & 7) == (expected & 7) && (quotient == 0 || (quotient < 0) == ((x < 0) != (y < 0))));
  }
  int quotient = 0;
  const T huge = std::numeric_limits<T>::max();
  CHECK(sycl::remquo(huge, T(3), &quotient) == std::remainder(huge, T(3)));
  CHECK(sycl::isnan(sycl::remquo(T(1), T(0), &quotient)) && quotient == 0);
  const T nan = std::numeric_limits<T>::quiet_NaN();
  CHECK(sycl::isequal(T(1), T(1)) && sycl::isnotequal(T(1), nan) && !sycl::islessgreater(T(1), nan));
  CHECK(sycl::isgreater(T(2), T(1)) && sycl::isgreaterequal(T(1), T(1)) && !sycl::isless(nan, T(1)));
  CHECK(sycl::islessequal(T(1), T(2)) && sycl::isordered(T(1), T(2)) && sycl::isunordered(nan, T(1)));
  CHECK(sycl::select(T(1), T(2), true) == T(2) && sycl::bitselect(T(1), T(-1), T(-0.0)) == T(-1));
  CHECK(sycl::length(T(-3)) == T(3) && sycl::distance(T(1), T(4)) == T(3) && sycl::normalize(T(-2)) == T(-1));
  CHECK(sycl::dot(T(2), T(3)) == T(6) && sycl::fast_length(-2.0f) == 2.0f && sycl::fast_normalize(4.0f) == 1.0f);
  const sycl::vec<T, 3> v(T(2), T(3), T(6));
  CHECK(sycl::length(v) == T(7) && sycl::distance(v, v) == T(0) && sycl::cross(v, v).x() == T(0));
}

void check_integers() {
  static_assert(sycl::abs_diff(std::int8_t(100), std::int8_t(90)) == 10);
  static_assert(std::is_same_v<decltype(sycl::abs_diff(1, 2)), int>);
  static_assert(sycl::upsample(std::int8_t(-1), std::uint8_t(2)) == -254);
  static_assert(sycl::upsample(0xdeadbeefu, 0x01020304u) == 0xdeadbeef01020304u);
  const std::int64_t most = std::numeric_limits<std::int64_t>::max(), least = std::numeric_limits<std::int64_t>::min();
  const std::int64_t samples[] = {0, 1, -1, 3, -7, most, least, most / 2, least / 2, std::int64_t(1) << 32};
  for (const std::int64_t a : samples)
    for (const std::int64_t b : samples)
      for (const std::int64_t c : samples) {
        const wide exact = static_cast<wide>(a) * b + c;
        CHECK_EQUAL(sycl::mad_sat(a, b, c), exact > most ? most : exact < least ? least : std::int64_t(exact));
        const std::uint64_t u = std::uint64_t(a), v = std::uint64_t(b), w = std::uint64_t(c);
        const unsigned_wide large = static_cast<unsigned_wide>(u) * v + w;
        CHECK_EQUAL(sycl::mad_sat(u, v, w), large >> 64 ? ~std::uint64_t(0) : std::uint64_t(large));
      }
  CHECK(sycl::mad_sat(100, 1 << 30, 1) == std::numeric_limits<int>::max() && sycl::mad_sat(3, 4, 5) == 17);
  CHECK(sycl::mad_sat(std::int8_t(-100), std::int8_t(2), std::int8_t(1)) == -128 && sycl::any(-1) && !sycl::all(1));
}

void check_objects() {
  CHECK(sycl::plus<>()(1, 2.5) == 3.5 && sycl::maximum<int>()(3, 9) == 9 && sycl::logical_and<>()(true, 1));
  CHECK(sycl::bit_cast<std::uint32_t>(1.0f) == 0x3f800000u);
  CHECK(sycl::native::sqrt(4.0f) == 2.0f && sycl::half_precision::recip(4.0f) == 0.25f && sycl::rsqrt(4.0) == 0.5);
  const sycl::range<2> size(3, 4);
  CHECK(size.size() == 12 && (sycl::id<2>(1, 2) + 1)[1] == 3 && sycl::nd_range<1>(8, 2).get_group_range()[0] == 4);
  const sycl::int4 swizzled = sycl::int4(1, 2, 3, 4).swizzle<3, 2, 1, 0>();
  CHECK(swizzled.x() == 4 && sycl::float2(1.75f).convert<int>().y() == 2);
}

} // namespace

int main() {
  check_integer<int>();
  check_integer<unsigned>();
  check_integer<long>();
  check_integer<unsigned long>();
  check_integer<long long>();
  check_integer<unsigned long long>();
  check_arithmetic<float>();
  check_arithmetic<double>();
  check_pointers();
  check_threads<int>();
  check_threads<double>();
  check_old_atomic();
  check_numbers<float>();
  check_numbers<double>();
  check_integers();
  check_objects();
  return pass();
}
