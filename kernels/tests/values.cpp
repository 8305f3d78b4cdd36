// Calls builtins with arguments whose results are known from the OpenCL specification or exactly
// computable. Linked with the bitcode library by tests/builtins.rs. Prints each failure; the exit
// status is the number of failures.
#include "../builtins/generic/types.hpp"
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

static int failures = 0;

template <class T> static bool same(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b));
}
static bool near(double a, double b, double ulps, double epsilon) {
  return std::fabs(a - b) <= ulps * epsilon * std::fabs(b);
}
#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION)) {                                                                                                \
      std::printf("line %d: %s\n", __LINE__, #CONDITION);                                                             \
      ++failures;                                                                                                      \
    }                                                                                                                  \
  } while (0)

extern "C" {
u64 __acpp_sscp_get_local_id_x() { return 1; }
u64 __acpp_sscp_get_local_id_y() { return 2; }
u64 __acpp_sscp_get_local_id_z() { return 3; }
u64 __acpp_sscp_get_local_size_x() { return 4; }
u64 __acpp_sscp_get_local_size_y() { return 5; }
u64 __acpp_sscp_get_local_size_z() { return 6; }
void __acpp_sscp_work_group_barrier(scope, order) {}
// Of the host's rows of one work-item.
bool __sinter_row_is_aligned() { return true; }
bool __sinter_row_is_full() { return true; }
u32 __acpp_sscp_get_subgroup_id();
u32 __acpp_sscp_get_num_subgroups();

#define DECLARE(T)                                                                                                     \
  T __acpp_sscp_sinpi_##T(T);                                                                                          \
  T __acpp_sscp_cospi_##T(T);                                                                                          \
  T __acpp_sscp_fract_##T(T, T *);                                                                                     \
  T __acpp_sscp_asin_##T(T);                                                                                           \
  T __acpp_sscp_asinh_##T(T);                                                                                          \
  T __acpp_sscp_atan_##T(T);                                                                                           \
  T __acpp_sscp_atanh_##T(T);                                                                                          \
  T __acpp_sscp_cbrt_##T(T);                                                                                           \
  T __acpp_sscp_erf_##T(T);                                                                                            \
  T __acpp_sscp_expm1_##T(T);                                                                                          \
  T __acpp_sscp_log1p_##T(T);                                                                                          \
  T __acpp_sscp_sin_##T(T);                                                                                            \
  T __acpp_sscp_sinh_##T(T);                                                                                           \
  T __acpp_sscp_tan_##T(T);                                                                                            \
  T __acpp_sscp_tanh_##T(T);                                                                                           \
  T __acpp_sscp_modf_##T(T, T *);                                                                                      \
  T __acpp_sscp_powr_##T(T, T);                                                                                        \
  T __acpp_sscp_pown_##T(T, i32);                                                                                      \
  T __acpp_sscp_rootn_##T(T, i32);                                                                                     \
  T __acpp_sscp_fdim_##T(T, T);                                                                                        \
  T __acpp_sscp_nextafter_##T(T, T);                                                                                   \
  T __acpp_sscp_maxmag_##T(T, T);                                                                                      \
  T __acpp_sscp_minmag_##T(T, T);                                                                                      \
  T __acpp_sscp_frexp_##T(T, i32 *);                                                                                   \
  T __acpp_sscp_lgamma_r_##T(T, i32 *);                                                                                \
  i32 __acpp_sscp_isnormal_##T(T);                                                                                     \
  i32 __acpp_sscp_signbit_##T(T);
DECLARE(f32)
DECLARE(f64)
f32 __acpp_sscp_atomic_fetch_add_f32(space, order, scope, f32 *, f32);
f64 __acpp_sscp_atomic_fetch_min_f64(space, order, scope, f64 *, f64);
u8 __acpp_sscp_clz_u8(u8);
u64 __acpp_sscp_ctz_u64(u64);
i32 __acpp_sscp_mul24_s32(i32, i32);
u32 __acpp_sscp_mul24_u32(u32, u32);
u32 __acpp_sscp_popcount_u32(u32);
u16 __acpp_sscp_half_add(u16, u16);
bool __acpp_sscp_half_lt(u16, u16);
u8 __acpp_sscp_atomic_fetch_max_u8(space, order, scope, u8 *, u8);
i8 __acpp_sscp_atomic_fetch_max_i8(space, order, scope, i8 *, i8);
i32 __acpp_sscp_atomic_load_i32(space, order, scope, i32 *);
void __acpp_sscp_atomic_store_i32(space, order, scope, i32 *, i32);
bool __acpp_sscp_cmp_exch_strong_i32(space, order, order, scope, i32 *, i32 *, i32);
void __acpp_sscp_fence(order, scope);
}

#define MATH(T, EPSILON)                                                                                               \
  {                                                                                                                    \
    const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();                        \
    for (int n = 0; n < 100; ++n) {                                                                                    \
      CHECK(same(__acpp_sscp_sinpi_##T(T(n)), T(0)));                                                                  \
      CHECK(same(__acpp_sscp_sinpi_##T(-T(n)), -T(0)));                                                                \
      CHECK(same(__acpp_sscp_cospi_##T(T(n)), T(n % 2 ? -1 : 1)));                                                     \
      CHECK(same(__acpp_sscp_cospi_##T(T(n) + T(0.5)), T(0)));                                                         \
      CHECK(same(__acpp_sscp_sinpi_##T(T(n) + T(0.5)), T(n % 2 ? -1 : 1)));                                            \
      double x = n * 0.013671875;                                                                                      \
      CHECK(near(__acpp_sscp_sinpi_##T(T(x)), (double)std::sin(M_PIl * x), 4, EPSILON));                               \
    }                                                                                                                  \
    CHECK(same(__acpp_sscp_sinpi_##T(inf), nan) && same(__acpp_sscp_cospi_##T(-inf), nan));                            \
    CHECK(same(__acpp_sscp_asin_##T(-T(0)), -T(0)) && same(__acpp_sscp_asin_##T(T(0)), T(0)));                         \
    CHECK(same(__acpp_sscp_asinh_##T(-T(0)), -T(0)) && same(__acpp_sscp_asinh_##T(T(0)), T(0)));                       \
    CHECK(same(__acpp_sscp_atan_##T(-T(0)), -T(0)) && same(__acpp_sscp_atan_##T(T(0)), T(0)));                         \
    CHECK(same(__acpp_sscp_atanh_##T(-T(0)), -T(0)) && same(__acpp_sscp_atanh_##T(T(0)), T(0)));                       \
    CHECK(same(__acpp_sscp_cbrt_##T(-T(0)), -T(0)) && same(__acpp_sscp_cbrt_##T(T(0)), T(0)));                         \
    CHECK(same(__acpp_sscp_erf_##T(-T(0)), -T(0)) && same(__acpp_sscp_erf_##T(T(0)), T(0)));                           \
    CHECK(same(__acpp_sscp_expm1_##T(-T(0)), -T(0)) && same(__acpp_sscp_expm1_##T(T(0)), T(0)));                       \
    CHECK(same(__acpp_sscp_log1p_##T(-T(0)), -T(0)) && same(__acpp_sscp_log1p_##T(T(0)), T(0)));                       \
    CHECK(same(__acpp_sscp_sin_##T(-T(0)), -T(0)) && same(__acpp_sscp_sin_##T(T(0)), T(0)));                           \
    CHECK(same(__acpp_sscp_sinh_##T(-T(0)), -T(0)) && same(__acpp_sscp_sinh_##T(T(0)), T(0)));                         \
    CHECK(same(__acpp_sscp_tan_##T(-T(0)), -T(0)) && same(__acpp_sscp_tan_##T(T(0)), T(0)));                           \
    CHECK(same(__acpp_sscp_tanh_##T(-T(0)), -T(0)) && same(__acpp_sscp_tanh_##T(T(0)), T(0)));                         \
    CHECK(same(__acpp_sscp_nextafter_##T(-std::numeric_limits<T>::denorm_min(), T(0)), -T(0)));                        \
    CHECK(same(__acpp_sscp_nextafter_##T(T(0), -T(0)), -T(0)) && same(__acpp_sscp_nextafter_##T(-T(0), T(0)), T(0)));  \
    T whole;                                                                                                           \
    CHECK(same(__acpp_sscp_fract_##T(T(-1e-30), &whole), std::nextafter(T(1), T(0))) && same(whole, T(-1)));           \
    CHECK(same(__acpp_sscp_fract_##T(T(2.25), &whole), T(0.25)) && same(whole, T(2)));                                 \
    CHECK(same(__acpp_sscp_fract_##T(inf, &whole), T(0)) && same(whole, inf));                                         \
    CHECK(same(__acpp_sscp_fract_##T(nan, &whole), nan));                                                              \
    CHECK(same(__acpp_sscp_modf_##T(T(-2.25), &whole), T(-0.25)) && same(whole, T(-2)));                               \
    CHECK(same(__acpp_sscp_modf_##T(-inf, &whole), -T(0)) && same(whole, -inf));                                       \
    CHECK(same(__acpp_sscp_modf_##T(T(-3), &whole), -T(0)) && same(whole, T(-3)));                                     \
    CHECK(same(__acpp_sscp_powr_##T(T(-1), T(2)), nan) && same(__acpp_sscp_powr_##T(T(0), T(0)), nan));                \
    CHECK(same(__acpp_sscp_powr_##T(inf, T(0)), nan) && same(__acpp_sscp_powr_##T(T(1), inf), nan));                   \
    CHECK(same(__acpp_sscp_powr_##T(T(-0.0), T(3)), T(0)) && same(__acpp_sscp_powr_##T(T(2), T(3)), T(8)));            \
    CHECK(same(__acpp_sscp_pown_##T(T(-1), 2147483647), T(-1)) && same(__acpp_sscp_pown_##T(T(2), -3), T(0.125)));     \
    CHECK(same(__acpp_sscp_rootn_##T(T(-27), 3), T(-3)) && same(__acpp_sscp_rootn_##T(T(-4), 2), nan));                \
    CHECK(same(__acpp_sscp_rootn_##T(T(1024), 10), T(2)) && same(__acpp_sscp_rootn_##T(T(5), 0), nan));                \
    CHECK(same(__acpp_sscp_rootn_##T(T(-0.0), -3), -inf) && same(__acpp_sscp_rootn_##T(inf, -4), T(0)));               \
    CHECK(near(__acpp_sscp_rootn_##T(T(1e30), 7), std::exp(std::log(1e30) / 7), 64, 2.3e-16 + EPSILON));               \
    CHECK(same(__acpp_sscp_fdim_##T(T(3), T(1)), T(2)) && same(__acpp_sscp_fdim_##T(T(1), nan), nan));                 \
    CHECK(same(__acpp_sscp_fdim_##T(T(1), T(3)), T(0)));                                                               \
    CHECK(same(__acpp_sscp_maxmag_##T(T(-3), T(2)), T(-3)) && same(__acpp_sscp_minmag_##T(T(-3), T(2)), T(2)));        \
    CHECK(same(__acpp_sscp_maxmag_##T(T(-2), T(2)), T(2)) && same(__acpp_sscp_maxmag_##T(nan, T(2)), T(2)));           \
    i32 number;                                                                                                        \
    CHECK(same(__acpp_sscp_frexp_##T(T(12), &number), T(0.75)) && number == 4);                                        \
    CHECK(__acpp_sscp_lgamma_r_##T(T(-0.5), &number) > 1 && number == -1);                                             \
    CHECK(same(__acpp_sscp_lgamma_r_##T(T(-2), &number), inf) && number == 0);                                         \
    CHECK(same(__acpp_sscp_lgamma_r_##T(T(-0.0), &number), inf) && number == 0);                                       \
    CHECK(__acpp_sscp_isnormal_##T(T(1)) == 1 && __acpp_sscp_isnormal_##T(std::numeric_limits<T>::denorm_min()) == 0); \
    CHECK(__acpp_sscp_signbit_##T(-T(0)) == 1 && __acpp_sscp_signbit_##T(T(0)) == 0);                                  \
  }

// NVIDIA's other functions consist of instructions that this CPU lacks.
#ifndef MATH_ONLY
static void integers() {
  CHECK(__acpp_sscp_clz_u8(0) == 8 && __acpp_sscp_clz_u8(1) == 7 && __acpp_sscp_ctz_u64(0) == 64);
  CHECK(__acpp_sscp_mul24_s32(-3, 5) == -15 && __acpp_sscp_mul24_s32(0x7f000002, 3) == 6);
  CHECK(__acpp_sscp_mul24_u32(0xff000002, 3) == 6 && __acpp_sscp_popcount_u32(0xf0f0) == 8);
  CHECK(__acpp_sscp_half_add(0x3c00, 0x3c00) == 0x4000 && __acpp_sscp_half_lt(0xbc00, 0x3c00));
  CHECK(__acpp_sscp_get_subgroup_id() == 1 + 4 * (2 + 5 * 3) && __acpp_sscp_get_num_subgroups() == 120);
}

static void atomics() {
  f32 sum = 1;
  f64 least = 3;
  CHECK(__acpp_sscp_atomic_fetch_add_f32(space::generic, order::relaxed, scope::device, &sum, 2) == 1 && sum == 3);
  CHECK(__acpp_sscp_atomic_fetch_min_f64(space::global, order::seq_cst, scope::device, &least, -2) == 3 && least == -2);
  u8 u = 0x80;
  i8 i = -128;
  CHECK(__acpp_sscp_atomic_fetch_max_u8(space::global, order::acq_rel, scope::device, &u, 1) == 0x80 && u == 0x80);
  CHECK(__acpp_sscp_atomic_fetch_max_i8(space::global, order::acq_rel, scope::device, &i, 1) == -128 && i == 1);
  for (int success = 0; success < 5; ++success)
    for (int failure = 0; failure < 5; ++failure) {
      i32 value = 0, expected = 7;
      __acpp_sscp_atomic_store_i32(space::global, order(success), scope::system, &value, 6);
      CHECK(__acpp_sscp_atomic_load_i32(space::global, order(success), scope::system, &value) == 6);
      auto exchange = [&] {
        return __acpp_sscp_cmp_exch_strong_i32(space::global, order(success), order(failure), scope::system, &value,
                                               &expected, 9);
      };
      CHECK(!exchange() && expected == 6 && value == 6);
      CHECK(exchange() && value == 9);
      __acpp_sscp_fence(order(success), scope::device);
    }
}

#endif

int main() {
  MATH(f32, 1.2e-7)
  MATH(f64, 2.3e-16)
#ifndef MATH_ONLY
  integers();
  atomics();
#endif
  return failures;
}
