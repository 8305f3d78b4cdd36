// The sub-groups of a SPIR-V device and its group instructions, emulated by fibers.
#include "items.hpp"

#include "../builtins/spirv/sub_group.cpp"

#define ANSWER(NAME, VALUE)                                                                                            \
  i32 __sinter_spirv_##NAME() { return VALUE; }
extern "C" {
ANSWER(has_sub_groups, SUB_GROUPS)
ANSWER(has_sub_group_vote, VOTE)
ANSWER(has_sub_group_arithmetic, ARITHMETIC)
ANSWER(has_sub_group_shuffle, SHUFFLE)
ANSWER(has_sub_group_shuffle_relative, RELATIVE)
ANSWER(has_uniform_group_arithmetic, UNIFORM)
ANSWER(sub_group_size, 0)
}

namespace {

// Fails if an instruction requires a missing feature.
void require(bool feature) {
  if (!feature)
    std::abort();
}

// Every item stores a word; then each computes its result from all words. They must be at the same
// instruction.
template <class Result> auto exchange(u32 scope, u32 operation, u64 word, Result result) {
  require(scope == spirv::workgroup ? UNIFORM : SUB_GROUPS);
  const bool is_whole = scope == spirv::workgroup;
  items::team &team = is_whole ? items::whole : items::parts[fibers::self / WIDTH];
  const u32 own = u32(is_whole ? fibers::self : fibers::self % WIDTH);
  team.words[own] = word;
  team.operations[own] = operation;
  team.barrier.wait();
  for (u32 i = 0; i < team.size; ++i)
    require(team.operations[i] == operation);
  auto found = result(team, own);
  team.barrier.wait();
  return found;
}

// A value that no item has, if there is no such item.
u64 word_of(const items::team &team, u32 item) { return item < team.size ? team.words[item] : 0xdeadbeefdeadbeef; }

template <class T> u64 bits_of(T x) { return __builtin_bit_cast(typename sub_group::bits_of_size<sizeof(T)>::type, x); }
template <class T> T from_bits(u64 word) {
  return __builtin_bit_cast(T, (typename sub_group::bits_of_size<sizeof(T)>::type)word);
}

template <class T> T collect(u32 scope, u32 kind, operation op, T x, T neutral) {
  return exchange(scope, 16 * u32(op) + kind, bits_of(x), [=](const items::team &team, u32 own) {
    // Tested devices compute products of partial sub-groups wrongly.
    require(scope == spirv::workgroup || op != operation::multiply || team.size == WIDTH);
    const u32 last = kind == spirv::reduce ? team.size : kind == spirv::inclusive_scan ? own + 1 : own;
    T sum = neutral;
    for (u32 i = 0; i < last; ++i)
      sum = combine(op, sum, from_bits<T>(team.words[i]));
    return sum;
  });
}

} // namespace

namespace spirv {

u32 SubgroupSize() { return items::parts[fibers::self / WIDTH].size; }
u32 SubgroupMaxSize() { return WIDTH; }
u32 SubgroupId() { return u32(fibers::self / WIDTH); }
u32 NumSubgroups() { return u32((items::all + WIDTH - 1) / WIDTH); }
u32 SubgroupLocalInvocationId() { return u32(fibers::self % WIDTH); }

#define VOTE_OF(NAME, HAS, START, OP)                                                                                  \
  bool NAME(u32 scope, bool x) {                                                                                       \
    require(HAS);                                                                                                      \
    return exchange(scope, 1, x, [](const items::team &team, u32) {                                                    \
      bool result = START;                                                                                             \
      for (u32 i = 0; i < team.size; ++i)                                                                              \
        result = result OP team.words[i];                                                                              \
      return result;                                                                                                   \
    });                                                                                                                \
  }
VOTE_OF(GroupAll, true, true, &&)
VOTE_OF(GroupAny, true, false, ||)
VOTE_OF(GroupNonUniformAll, VOTE, true, &&)
VOTE_OF(GroupNonUniformAny, VOTE, false, ||)

#define EXCHANGE(NAME, T, HAS, OPERATION, FROM)                                                                        \
  T NAME(u32 scope, T x, u32 y) {                                                                                      \
    require(HAS);                                                                                                      \
    return exchange(scope, OPERATION, x, [=](const items::team &team, [[maybe_unused]] u32 own) {                      \
      return (T)word_of(team, FROM);                                                                                   \
    });                                                                                                                \
  }
#define EXCHANGES(T)                                                                                                   \
  EXCHANGE(GroupBroadcast, T, true, 0x100 + y, y)                                                                      \
  EXCHANGE(GroupNonUniformShuffle, T, SHUFFLE, 2, y)                                                                   \
  EXCHANGE(GroupNonUniformShuffleXor, T, SHUFFLE, 3, own ^ y)                                                          \
  EXCHANGE(GroupNonUniformShuffleUp, T, RELATIVE, 4, own - y)                                                          \
  EXCHANGE(GroupNonUniformShuffleDown, T, RELATIVE, 5, own + y)
EXCHANGES(u32)
EXCHANGES(u64)

#define COLLECT(OP, T, HAS, NEUTRAL)                                                                                   \
  T OP(u32 scope, u32 kind, T x) {                                                                                     \
    require(HAS);                                                                                                      \
    return collect(scope, kind, operation::OP, x, (T)(NEUTRAL));                                                       \
  }
#define BASIC(T, LEAST, GREATEST, HAS)                                                                                 \
  COLLECT(plus, T, HAS, 0)                                                                                             \
  COLLECT(min, T, HAS, GREATEST)                                                                                       \
  COLLECT(max, T, HAS, LEAST)
#define BITS(T, HAS)                                                                                                   \
  COLLECT(multiply, T, HAS, 1)                                                                                         \
  COLLECT(bit_and, T, HAS, ~T(0))                                                                                      \
  COLLECT(bit_or, T, HAS, 0)                                                                                           \
  COLLECT(bit_xor, T, HAS, 0)
#define FAMILY(BASIC_HAS, HAS)                                                                                         \
  BASIC(i32, 1 << 31, ~(1 << 31), BASIC_HAS)                                                                           \
  BASIC(u32, 0, ~0u, BASIC_HAS)                                                                                        \
  BASIC(i64, 1ll << 63, ~(1ll << 63), BASIC_HAS)                                                                       \
  BASIC(u64, 0, ~0ull, BASIC_HAS)                                                                                      \
  BASIC(f32, -__builtin_inff(), __builtin_inff(), BASIC_HAS)                                                           \
  BASIC(f64, -__builtin_inf(), __builtin_inf(), BASIC_HAS)                                                             \
  BITS(i32, HAS)                                                                                                       \
  BITS(u32, HAS)                                                                                                       \
  BITS(i64, HAS)                                                                                                       \
  BITS(u64, HAS)                                                                                                       \
  COLLECT(multiply, f32, HAS, 1)                                                                                       \
  COLLECT(multiply, f64, HAS, 1)

// Products and bitwise operations need an extension for work-groups.
namespace uniform {
FAMILY(true, UNIFORM && scope == workgroup)
} // namespace uniform
namespace non_uniform {
FAMILY(ARITHMETIC, ARITHMETIC)
} // namespace non_uniform

} // namespace spirv
