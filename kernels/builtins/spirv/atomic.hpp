// Atomic instructions of SPIR-V: one for each type and address space.
#pragma once
#include "../generic/atomics.hpp"
#include "instructions.hpp"

namespace instruction {

// Pointer, scope and semantics are the first operands.
#define MODIFY(NAME, INSTRUCTION, T, SPACE, WHERE)                                                                     \
  T NAME(SPACE T *, u32, u32, T) SPIRV_OP(INSTRUCTION, #T "_" WHERE);

#define WORD(U, S, SPACE, WHERE)                                                                                       \
  U load(SPACE U *, u32, u32) SPIRV_OP(AtomicLoad, #U "_" WHERE);                                                      \
  void store(SPACE U *, u32, u32, U) SPIRV_OP(AtomicStore, #U "_" WHERE);                                              \
  /* The semantics of success and of failure, the value, the expected one. */                                          \
  U compare_exchange(SPACE U *, u32, u32, u32, U, U) SPIRV_OP(AtomicCompareExchange, #U "_" WHERE);                    \
  MODIFY(exchange, AtomicExchange, U, SPACE, WHERE)                                                                    \
  MODIFY(fetch_and, AtomicAnd, U, SPACE, WHERE)                                                                        \
  MODIFY(fetch_or, AtomicOr, U, SPACE, WHERE)                                                                          \
  MODIFY(fetch_xor, AtomicXor, U, SPACE, WHERE)                                                                        \
  MODIFY(fetch_add, AtomicIAdd, U, SPACE, WHERE)                                                                       \
  MODIFY(fetch_sub, AtomicISub, U, SPACE, WHERE)                                                                       \
  MODIFY(fetch_min, AtomicUMin, U, SPACE, WHERE)                                                                       \
  MODIFY(fetch_max, AtomicUMax, U, SPACE, WHERE)                                                                       \
  MODIFY(fetch_min, AtomicSMin, S, SPACE, WHERE)                                                                       \
  MODIFY(fetch_max, AtomicSMax, S, SPACE, WHERE)

#define FLOATING(T, SPACE, WHERE)                                                                                      \
  MODIFY(fetch_add, AtomicFAddEXT, T, SPACE, WHERE)                                                                    \
  MODIFY(fetch_min, AtomicFMinEXT, T, SPACE, WHERE)                                                                    \
  MODIFY(fetch_max, AtomicFMaxEXT, T, SPACE, WHERE)

#define ALL_AT(SPACE, WHERE)                                                                                           \
  WORD(u32, i32, SPACE, WHERE)                                                                                         \
  WORD(u64, i64, SPACE, WHERE)                                                                                         \
  FLOATING(f32, SPACE, WHERE)                                                                                          \
  FLOATING(f64, SPACE, WHERE)

ALL_AT(GLOBAL, "global")
ALL_AT(LOCAL, "local")
ALL_AT(, "generic")

#undef MODIFY
#undef WORD
#undef FLOATING
#undef ALL_AT

} // namespace instruction
