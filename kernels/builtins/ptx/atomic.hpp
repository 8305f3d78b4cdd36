// Atomic instructions of PTX: every operation with its order, scope and address space spelled out.
//
// A *mode* is what of these three is left in the instruction. There is one case per mode; after inlining the mode is a
// constant and one instruction is left.
#pragma once
#include "../generic/atomics.hpp"
#include "../generic/orders.hpp"
#include "fence.hpp"

// Places are combinations of address space and scope. Local memory is seen by its work-group alone.
enum place : i32 { generic_cta, generic_gpu, generic_sys, global_cta, global_gpu, global_sys, shared_cta, places };
// Orders that instructions have.
enum meaning : i32 { relaxed, acquire, release, acq_rel };

// Numbers of the scopes among the places of an address space.
ATOMIC_INLINE i32 reach(scope s) { return s == scope::system ? 2 : s == scope::device ? 1 : 0; }

ATOMIC_INLINE i32 place_of(atomic_mode m) {
  return m.where == space::local ? shared_cta : reach(m.whom) + (m.where == space::global ? global_cta : generic_cta);
}

ATOMIC_INLINE meaning meaning_of(order o) {
  return o == order::relaxed ? relaxed : o == order::release ? release : o == order::acq_rel ? acq_rel : acquire;
}

// Numbers of the modes in the switches below.
constexpr i32 mode_number(i32 meaning, i32 place) { return meaning * places + place; }
ATOMIC_INLINE i32 number_of(atomic_mode m) { return mode_number(meaning_of(m.how), place_of(m)); }

// A sequentially consistent operation is a fence of that order and an acquiring operation.
ATOMIC_INLINE void fence_before(atomic_mode m) {
  if (m.how == order::seq_cst)
    strict_fence(m.whom);
}

// CASE(qualifiers, type of the pointer, ...) for each place of one order.
#define AT_PLACES(SEM, CASE, ...)                                                                                      \
  case mode_number(SEM, generic_cta): CASE("." #SEM ".cta", , __VA_ARGS__); break;                                      \
  case mode_number(SEM, generic_gpu): CASE("." #SEM ".gpu", , __VA_ARGS__); break;                                      \
  case mode_number(SEM, generic_sys): CASE("." #SEM ".sys", , __VA_ARGS__); break;                                      \
  case mode_number(SEM, global_cta): CASE("." #SEM ".cta.global", GLOBAL, __VA_ARGS__); break;                          \
  case mode_number(SEM, global_gpu): CASE("." #SEM ".gpu.global", GLOBAL, __VA_ARGS__); break;                          \
  case mode_number(SEM, global_sys): CASE("." #SEM ".sys.global", GLOBAL, __VA_ARGS__); break;                          \
  case mode_number(SEM, shared_cta): CASE("." #SEM ".cta.shared", LOCAL, __VA_ARGS__); break;

#define MODIFY_CASE(QUALIFIERS, SPACE, T, INSTRUCTION, REGISTER)                                                       \
  asm volatile("atom" QUALIFIERS "." INSTRUCTION " %0, [%1], %2;"                                                      \
               : "=" REGISTER(old)                                                                                     \
               : "l"((SPACE T *)p), REGISTER(x)                                                                        \
               : "memory")

#define EXCHANGE_CASE(QUALIFIERS, SPACE, T, INSTRUCTION, REGISTER)                                                     \
  asm volatile("atom" QUALIFIERS "." INSTRUCTION " %0, [%1], %2, %3;"                                                  \
               : "=" REGISTER(old)                                                                                     \
               : "l"((SPACE T *)p), REGISTER(expected), REGISTER(x)                                                    \
               : "memory")

#define LOAD_CASE(QUALIFIERS, SPACE, T, TYPE, REGISTER)                                                                \
  asm volatile("ld" QUALIFIERS "." TYPE " %0, [%1];" : "=" REGISTER(old) : "l"((SPACE const T *)p) : "memory")

#define STORE_CASE(QUALIFIERS, SPACE, T, TYPE, REGISTER)                                                               \
  asm volatile("st" QUALIFIERS "." TYPE " [%0], %1;" : : "l"((SPACE T *)p), REGISTER(x) : "memory")

#define ALL_ORDERS(CASE, ...)                                                                                          \
  switch (number_of(m)) {                                                                                              \
    AT_PLACES(relaxed, CASE, __VA_ARGS__)                                                                              \
    AT_PLACES(acquire, CASE, __VA_ARGS__)                                                                              \
    AT_PLACES(release, CASE, __VA_ARGS__)                                                                              \
    AT_PLACES(acq_rel, CASE, __VA_ARGS__)                                                                              \
  default: __builtin_unreachable();                                                                                    \
  }

#define MODIFY(NAME, T, INSTRUCTION, REGISTER)                                                                         \
  ATOMIC_INLINE T NAME(atomic_mode m, T *p, T x) {                                                                     \
    T old;                                                                                                             \
    fence_before(m);                                                                                                   \
    ALL_ORDERS(MODIFY_CASE, T, INSTRUCTION, REGISTER)                                                                  \
    return old;                                                                                                        \
  }

// The value that was there; `x` is written if that was the expected one.
#define COMPARE_EXCHANGE(T, INSTRUCTION, REGISTER)                                                                     \
  ATOMIC_INLINE T compare_exchange(atomic_mode m, T *p, T expected, T x) {                                             \
    T old;                                                                                                             \
    fence_before(m);                                                                                                   \
    ALL_ORDERS(EXCHANGE_CASE, T, INSTRUCTION, REGISTER)                                                                \
    return old;                                                                                                        \
  }

// `V` is the type of the register, which is wider than a byte.
#define LOAD_STORE(T, V, TYPE, REGISTER)                                                                               \
  ATOMIC_INLINE T load(atomic_mode m, const T *p) {                                                                    \
    V old;                                                                                                             \
    fence_before(m);                                                                                                   \
    bool acquires = m.how != order::relaxed && m.how != order::release;                                                \
    switch (mode_number(acquires ? acquire : relaxed, place_of(m))) {                                                  \
      AT_PLACES(relaxed, LOAD_CASE, T, TYPE, REGISTER)                                                                 \
      AT_PLACES(acquire, LOAD_CASE, T, TYPE, REGISTER)                                                                 \
    default: __builtin_unreachable();                                                                                  \
    }                                                                                                                  \
    return (T)old;                                                                                                     \
  }                                                                                                                    \
  ATOMIC_INLINE void store(atomic_mode m, T *p, T value) {                                                             \
    V x = (V)value;                                                                                                    \
    fence_before(m);                                                                                                   \
    bool releases = m.how == order::release || m.how == order::acq_rel;                                                \
    switch (mode_number(releases ? release : relaxed, place_of(m))) {                                                  \
      AT_PLACES(relaxed, STORE_CASE, T, TYPE, REGISTER)                                                                \
      AT_PLACES(release, STORE_CASE, T, TYPE, REGISTER)                                                                \
    default: __builtin_unreachable();                                                                                  \
    }                                                                                                                  \
  }

namespace instruction {

LOAD_STORE(u8, u16, "u8", "h")
LOAD_STORE(u16, u16, "b16", "h")
LOAD_STORE(u32, u32, "b32", "r")
LOAD_STORE(u64, u64, "b64", "l")
COMPARE_EXCHANGE(u32, "cas.b32", "r")
COMPARE_EXCHANGE(u64, "cas.b64", "l")

#define WORD(U, S, BITS, REGISTER)                                                                                     \
  MODIFY(exchange, U, "exch.b" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_and, U, "and.b" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_or, U, "or.b" #BITS, REGISTER)                                                                          \
  MODIFY(fetch_xor, U, "xor.b" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_add, U, "add.u" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_min, U, "min.u" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_max, U, "max.u" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_min, S, "min.s" #BITS, REGISTER)                                                                        \
  MODIFY(fetch_max, S, "max.s" #BITS, REGISTER)
WORD(u32, i32, 32, "r")
WORD(u64, i64, 64, "l")
MODIFY(fetch_add, f32, "add.f32", "f")
MODIFY(fetch_add, f64, "add.f64", "d")

} // namespace instruction
