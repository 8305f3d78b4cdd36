// Atomic operations. They are relaxed (order 0), on any address (space 4); without a suffix the
// scope is the device.
#ifndef HIP_DETAIL_ATOMICS_HPP
#define HIP_DETAIL_ATOMICS_HPP

#include "builtins.hpp"

// Scopes of the device interface: 2 is a work-group, 3 the device, 4 all devices and the host.
#define SINTER_HIP_SCOPES(Each, ...) Each(, 3, __VA_ARGS__) Each(_block, 2, __VA_ARGS__) Each(_system, 4, __VA_ARGS__)

#define SINTER_HIP_FETCH(suffix, scope, name, operation, type, passed, kind)                                         \
  SINTER_HIP_DEVICE type atomic##name##suffix(type *address, type value) {                                           \
    return static_cast<type>(__acpp_sscp_atomic_##operation##_##kind(                                                \
        4, 0, scope, reinterpret_cast<passed *>(address), static_cast<passed>(value)));                              \
  }
#define SINTER_HIP_CAS(suffix, scope, type, passed, kind)                                                            \
  SINTER_HIP_DEVICE type atomicCAS##suffix(type *address, type compare, type value) {                                \
    passed expected = static_cast<passed>(compare);                                                                  \
    __acpp_sscp_cmp_exch_strong_##kind(4, 0, 0, scope, reinterpret_cast<passed *>(address), &expected,               \
                                       static_cast<passed>(value));                                                  \
    return static_cast<type>(expected);                                                                              \
  }
#define SINTER_HIP_NUMBER(type, passed, kind)                                                                        \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Add, fetch_add, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Sub, fetch_sub, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Min, fetch_min, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Max, fetch_max, type, passed, kind)
#define SINTER_HIP_WORD(type, passed, kind)                                                                          \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, And, fetch_and, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Or, fetch_or, type, passed, kind)                                              \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Xor, fetch_xor, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_FETCH, Exch, exchange, type, passed, kind)                                            \
  SINTER_HIP_SCOPES(SINTER_HIP_CAS, type, passed, kind)

SINTER_HIP_NUMBER(int, int, i32)
SINTER_HIP_NUMBER(unsigned, unsigned, u32)
SINTER_HIP_NUMBER(unsigned long, unsigned long long, u64)
SINTER_HIP_NUMBER(long long, long long, i64)
SINTER_HIP_NUMBER(unsigned long long, unsigned long long, u64)
SINTER_HIP_NUMBER(float, float, f32)
SINTER_HIP_NUMBER(double, double, f64)
SINTER_HIP_WORD(int, int, i32)
SINTER_HIP_WORD(unsigned, int, i32)
SINTER_HIP_WORD(unsigned long, long long, i64)
SINTER_HIP_WORD(long long, long long, i64)
SINTER_HIP_WORD(unsigned long long, long long, i64)

// Bits of a number as a word, and back.
template <class To, class From> SINTER_HIP_DEVICE To sinter_hip_bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "of one size");
  To to;
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

#define SINTER_HIP_BITS(suffix, scope, type, word, kind)                                                             \
  SINTER_HIP_DEVICE type atomicExch##suffix(type *address, type value) {                                             \
    return sinter_hip_bits<type>(__acpp_sscp_atomic_exchange_##kind(4, 0, scope, reinterpret_cast<word *>(address),  \
                                                                    sinter_hip_bits<word>(value)));                  \
  }                                                                                                                  \
  SINTER_HIP_DEVICE type atomicCAS##suffix(type *address, type compare, type value) {                                \
    word expected = sinter_hip_bits<word>(compare);                                                                  \
    __acpp_sscp_cmp_exch_strong_##kind(4, 0, 0, scope, reinterpret_cast<word *>(address), &expected,                 \
                                       sinter_hip_bits<word>(value));                                                \
    return sinter_hip_bits<type>(expected);                                                                          \
  }
SINTER_HIP_SCOPES(SINTER_HIP_BITS, float, int, i32)
SINTER_HIP_SCOPES(SINTER_HIP_BITS, double, long long, i64)

SINTER_HIP_DEVICE unsigned short atomicCAS(unsigned short *address, unsigned short compare, unsigned short value) {
  short expected = static_cast<short>(compare);
  __acpp_sscp_cmp_exch_strong_i16(4, 0, 0, 3, reinterpret_cast<short *>(address), &expected,
                                  static_cast<short>(value));
  return static_cast<unsigned short>(expected);
}

// Counts up to a limit, and down from it. Where GPUs have such an operation the translator finds it
// in a loop of this form.
#define SINTER_HIP_COUNT(suffix, scope, name, next)                                                                  \
  SINTER_HIP_DEVICE unsigned atomic##name##suffix(unsigned *address, unsigned limit) {                               \
    int old = __acpp_sscp_atomic_load_i32(4, 0, scope, reinterpret_cast<int *>(address));                            \
    for (;;) {                                                                                                       \
      const unsigned x = static_cast<unsigned>(old);                                                                 \
      if (__acpp_sscp_cmp_exch_strong_i32(4, 0, 0, scope, reinterpret_cast<int *>(address), &old,                    \
                                          static_cast<int>(next)))                                                   \
        return x;                                                                                                    \
    }                                                                                                                \
  }
SINTER_HIP_SCOPES(SINTER_HIP_COUNT, Inc, (x >= limit ? 0 : x + 1))
// Below 0 it wraps, and is above each limit.
SINTER_HIP_SCOPES(SINTER_HIP_COUNT, Dec, (x - 1 >= limit ? limit : x - 1))

SINTER_HIP_DEVICE float unsafeAtomicAdd(float *address, float value) { return atomicAdd(address, value); }
SINTER_HIP_DEVICE double unsafeAtomicAdd(double *address, double value) { return atomicAdd(address, value); }
SINTER_HIP_DEVICE float safeAtomicAdd(float *address, float value) { return atomicAdd(address, value); }
SINTER_HIP_DEVICE double safeAtomicAdd(double *address, double value) { return atomicAdd(address, value); }
SINTER_HIP_DEVICE void atomicAddNoRet(float *address, float value) { atomicAdd(address, value); }

#undef SINTER_HIP_COUNT
#undef SINTER_HIP_BITS
#undef SINTER_HIP_WORD
#undef SINTER_HIP_NUMBER
#undef SINTER_HIP_CAS
#undef SINTER_HIP_FETCH
#undef SINTER_HIP_SCOPES

#endif
