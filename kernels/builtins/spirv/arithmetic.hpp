// Reductions and scans by SPIR-V instructions: those of OpenCL 2 for sums, minima and maxima, those
// of newer extensions also for products and bitwise operations. Values of less than 32 bits are
// extended; sums wrap around afterwards.
#pragma once
#include "../generic/group.hpp"
#include "instructions.hpp"

namespace spirv {

bool GroupAll(u32 scope, bool x) SPIRV_GROUP_OP(GroupAll, "i1");
bool GroupAny(u32 scope, bool x) SPIRV_GROUP_OP(GroupAny, "i1");

// Section 3.36, "Group Operation".
enum kind : u32 { reduce = 0, inclusive_scan = 1, exclusive_scan = 2 };

// Parameters: scope of the group, kind of operation, value.
#define OPERATE(NAME, INSTRUCTION, T) T NAME(u32, u32, T) SPIRV_GROUP_OP(INSTRUCTION, #T);

#define FAMILY(PREFIX, SUFFIX)                                                                                         \
  INTEGERS(PREFIX, SUFFIX, i32, S)                                                                                     \
  INTEGERS(PREFIX, SUFFIX, u32, U)                                                                                     \
  INTEGERS(PREFIX, SUFFIX, i64, S)                                                                                     \
  INTEGERS(PREFIX, SUFFIX, u64, U)                                                                                     \
  FLOATS(PREFIX, SUFFIX, f32)                                                                                          \
  FLOATS(PREFIX, SUFFIX, f64)

#define INTEGERS(PREFIX, SUFFIX, T, SIGN)                                                                              \
  OPERATE(plus, PREFIX##IAdd##SUFFIX, T)                                                                               \
  OPERATE(min, PREFIX##SIGN##Min##SUFFIX, T)                                                                           \
  OPERATE(max, PREFIX##SIGN##Max##SUFFIX, T)
#define FLOATS(PREFIX, SUFFIX, T)                                                                                      \
  OPERATE(plus, PREFIX##FAdd##SUFFIX, T)                                                                               \
  OPERATE(min, PREFIX##FMin##SUFFIX, T)                                                                                \
  OPERATE(max, PREFIX##FMax##SUFFIX, T)

namespace uniform {
FAMILY(Group, )
} // namespace uniform
namespace non_uniform {
FAMILY(GroupNonUniform, )
} // namespace non_uniform

#undef INTEGERS
#undef FLOATS
#define INTEGERS(PREFIX, SUFFIX, T, SIGN)                                                                              \
  OPERATE(multiply, PREFIX##IMul##SUFFIX, T)                                                                           \
  OPERATE(bit_and, PREFIX##BitwiseAnd##SUFFIX, T)                                                                      \
  OPERATE(bit_or, PREFIX##BitwiseOr##SUFFIX, T)                                                                        \
  OPERATE(bit_xor, PREFIX##BitwiseXor##SUFFIX, T)
#define FLOATS(PREFIX, SUFFIX, T) OPERATE(multiply, PREFIX##FMul##SUFFIX, T)

namespace uniform {
FAMILY(Group, KHR)
} // namespace uniform
namespace non_uniform {
FAMILY(GroupNonUniform, )
} // namespace non_uniform

#undef INTEGERS
#undef FLOATS
#undef FAMILY
#undef OPERATE

// The type that a value is extended to.
template <class T> struct extended { using type = T; };
template <> struct extended<i8> { using type = i32; };
template <> struct extended<i16> { using type = i32; };
template <> struct extended<u8> { using type = u32; };
template <> struct extended<u16> { using type = u32; };
template <> struct extended<f16> { using type = f32; };
template <class T> using extended_of = typename extended<T>::type;

// Booleans as numbers: "all" is the minimum and "any" the maximum of zeros and ones.
#define BASIC_CASES(INSTRUCTIONS)                                                                                      \
  case operation::plus: return INSTRUCTIONS::plus(Scope, Kind, x);                                                     \
  case operation::min: return INSTRUCTIONS::min(Scope, Kind, x);                                                       \
  case operation::max: return INSTRUCTIONS::max(Scope, Kind, x);                                                       \
  case operation::logical_and: return (T)INSTRUCTIONS::min(Scope, Kind, (u32)(x != 0));                                \
  case operation::logical_or: return (T)INSTRUCTIONS::max(Scope, Kind, (u32)(x != 0));

// Floating-point numbers have no bitwise operations; the headers never request them.
#define ALL_CASES(INSTRUCTIONS)                                                                                        \
  BASIC_CASES(INSTRUCTIONS)                                                                                            \
  case operation::multiply: return INSTRUCTIONS::multiply(Scope, Kind, x);                                             \
  default:                                                                                                             \
    if constexpr (is_float<T>)                                                                                         \
      return x;                                                                                                        \
    else if (op == operation::bit_and)                                                                                 \
      return INSTRUCTIONS::bit_and(Scope, Kind, x);                                                                    \
    else if (op == operation::bit_or)                                                                                  \
      return INSTRUCTIONS::bit_or(Scope, Kind, x);                                                                     \
    else                                                                                                               \
      return INSTRUCTIONS::bit_xor(Scope, Kind, x);

#define OPERATION(NAME, CASES)                                                                                         \
  template <u32 Scope, kind Kind, class T> INLINED T NAME(operation op, T x) {                                         \
    switch (op) { CASES }                                                                                              \
  }

OPERATION(by_basic, BASIC_CASES(uniform) default: return x;)
OPERATION(by_uniform, ALL_CASES(uniform))
OPERATION(by_non_uniform, ALL_CASES(non_uniform))

#undef OPERATION
#undef ALL_CASES
#undef BASIC_CASES

// True if an operation is one of OpenCL 2, which by_basic() implements.
INLINED bool is_basic(operation op) {
  return op != operation::multiply && (op < operation::bit_and || op > operation::bit_xor);
}

// Group operations by instructions, for values of every type. `Instruction` is one of the above as
// a function object: it applies a kind of operation to a value. A value that is combined with no
// other stays unchanged, also if only its boolean value matters.
template <class Instruction, class T> INLINED T reduce_by(Instruction run, operation op, T x, bool is_alone) {
  T result = (T)run.template operator()<reduce>(op, (extended_of<T>)x);
  return op >= operation::logical_and && is_alone ? x : result;
}
template <class Instruction, class T> INLINED T inclusive_scan_by(Instruction run, operation op, T x, bool is_first) {
  T result = (T)run.template operator()<inclusive_scan>(op, (extended_of<T>)x);
  return op >= operation::logical_and && is_first ? x : result;
}
// The instruction starts with the identity in the extended type; the first item's result is `init`
// alone.
template <class Instruction, class T>
INLINED T exclusive_scan_by(Instruction run, operation op, T x, T init, bool is_first) {
  extended_of<T> before = run.template operator()<exclusive_scan>(op, (extended_of<T>)x);
  return is_first ? init : (T)combine(op, (extended_of<T>)init, before);
}

#define INSTRUCTION(NAME, FUNCTION, SCOPE)                                                                             \
  struct NAME {                                                                                                        \
    template <kind Kind, class T> INLINED T operator()(operation op, T x) const {                                      \
      return FUNCTION<SCOPE, Kind>(op, x);                                                                             \
    }                                                                                                                  \
  };
INSTRUCTION(of_work_group, by_uniform, workgroup)
INSTRUCTION(of_sub_group, by_basic, subgroup)
INSTRUCTION(of_non_uniform_sub_group, by_non_uniform, subgroup)
#undef INSTRUCTION

} // namespace spirv
