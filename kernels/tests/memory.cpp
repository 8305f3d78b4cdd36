// Runs the atomics and the half precision functions of SPIR-V devices on the CPU, with functions in
// place of the instructions. Compiled by tests/spirv.rs with ADD and MIN_MAX, which are 1 if the
// device has atomic addition, minimum and maximum of floating-point numbers. Prints each failure;
// the exit status is non-zero if there was one.
#include "../builtins/spirv/atomic.cpp"
#undef FETCH
#undef EXCHANGE
#undef FLOATING
#undef INTEGER
#undef BITWISE
#include "../builtins/spirv/half.cpp"
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

static int failures = 0;

#define CHECK(CONDITION)                                                                                               \
  do {                                                                                                                 \
    if (!(CONDITION) && failures++ < 20)                                                                               \
      std::printf("line %d: %s\n", __LINE__, #CONDITION);                                                              \
  } while (0)

#define ANSWER(NAME, VALUE)                                                                                            \
  i32 __sinter_spirv_has_##NAME() { return VALUE; }
extern "C" {
ANSWER(fp16, 0)
ANSWER(atomic_add_f32, ADD)
ANSWER(atomic_add_f64, ADD)
ANSWER(atomic_min_max_f32, MIN_MAX)
ANSWER(atomic_min_max_f64, MIN_MAX)
}

// Operands of the last operations; operations on bytes load first.
static u32 scopes, last_semantics, failure_semantics;

static void note(u32 scope, u32 semantics) {
  scopes = scope;
  last_semantics = semantics;
}

namespace instruction {

#define MODIFY(NAME, T, SPACE, RESULT)                                                                                 \
  T NAME(SPACE T *p, u32 scope, u32 semantics, T x) {                                                                  \
    note(scope, semantics);                                                                                            \
    [[maybe_unused]] T old = *p;                                                                                       \
    *p = (T)(RESULT);                                                                                                  \
    return old;                                                                                                        \
  }
#define MIN_AND_MAX(T, SPACE)                                                                                          \
  MODIFY(fetch_min, T, SPACE, x < old ? x : old)                                                                       \
  MODIFY(fetch_max, T, SPACE, old < x ? x : old)
#define WORD(U, S, SPACE)                                                                                              \
  U load(SPACE U *p, u32 scope, u32 semantics) {                                                                       \
    note(scope, semantics);                                                                                            \
    return *p;                                                                                                         \
  }                                                                                                                    \
  void store(SPACE U *p, u32 scope, u32 semantics, U x) {                                                              \
    note(scope, semantics);                                                                                            \
    *p = x;                                                                                                            \
  }                                                                                                                    \
  U compare_exchange(SPACE U *p, u32 scope, u32 equal, u32 unequal, U x, U expected) {                                 \
    note(scope, equal);                                                                                                \
    failure_semantics = unequal;                                                                                       \
    U old = *p;                                                                                                        \
    *p = old == expected ? x : old;                                                                                    \
    return old;                                                                                                        \
  }                                                                                                                    \
  MODIFY(exchange, U, SPACE, x)                                                                                        \
  MODIFY(fetch_and, U, SPACE, old &x)                                                                                  \
  MODIFY(fetch_or, U, SPACE, old | x)                                                                                  \
  MODIFY(fetch_xor, U, SPACE, old ^ x)                                                                                 \
  MODIFY(fetch_add, U, SPACE, old + x)                                                                                 \
  MODIFY(fetch_sub, U, SPACE, old - x)                                                                                 \
  MIN_AND_MAX(U, SPACE)                                                                                                \
  MIN_AND_MAX(S, SPACE)
#define ALL_AT(SPACE)                                                                                                  \
  WORD(u32, i32, SPACE)                                                                                                \
  WORD(u64, i64, SPACE)                                                                                                \
  MODIFY(fetch_add, f32, SPACE, old + x)                                                                               \
  MODIFY(fetch_add, f64, SPACE, old + x)                                                                               \
  MIN_AND_MAX(f32, SPACE)                                                                                              \
  MIN_AND_MAX(f64, SPACE)
ALL_AT(GLOBAL)
ALL_AT(LOCAL)
ALL_AT()

} // namespace instruction

// Section 3.25 of the specification: the order, with local and global memory.
static u32 expected_semantics(order o) {
  const u32 numbers[] = {0, 0x302, 0x304, 0x308, 0x310};
  return numbers[(int)o];
}

static u32 expected_scope(space a, scope s) {
  const u32 numbers[] = {2, 2, 2, 1, 0};
  return a == space::local ? 2 : numbers[(int)s];
}

// A value in the middle of others of its type.
template <class T> struct cell {
  alignas(8) T values[8];
  cell(T x) {
    for (T &value : values)
      value = T(17);
    values[3] = x;
  }
  T *place() { return &values[3]; }
  bool is(T x) const {
    bool same = values[3] == x;
    for (int i = 0; i < 8; ++i)
      same &= i == 3 || values[i] == T(17);
    return same;
  }
};

#define MODIFIES(NAME, T, RESULT)                                                                                      \
  for (T old : {T(3), T(100), T(0)})                                                                                   \
    for (T x : {T(5), T(-2), T(90)}) {                                                                                 \
      cell<T> c(old);                                                                                                  \
      CHECK(__acpp_sscp_atomic_##NAME##_##T(a, o, s, c.place(), x) == old);                                            \
      CHECK(c.is(T(RESULT)));                                                                                          \
      CHECK(a == space::private_ || (last_semantics == expected_semantics(o) && scopes == expected_scope(a, s)));      \
    }
#define ARITHMETIC(T)                                                                                                  \
  MODIFIES(fetch_add, T, old + x)                                                                                      \
  MODIFIES(fetch_sub, T, old - x)                                                                                      \
  MODIFIES(fetch_min, T, x < old ? x : old)                                                                            \
  MODIFIES(fetch_max, T, old < x ? x : old)
#define BITS(T)                                                                                                        \
  MODIFIES(exchange, T, x)                                                                                             \
  MODIFIES(fetch_and, T, old &x)                                                                                       \
  MODIFIES(fetch_or, T, old | x)                                                                                       \
  MODIFIES(fetch_xor, T, old ^ x)                                                                                      \
  {                                                                                                                    \
    cell<T> c(7);                                                                                                      \
    __acpp_sscp_atomic_store_##T(a, o, s, c.place(), T(-9));                                                           \
    CHECK(c.is(T(-9)) && __acpp_sscp_atomic_load_##T(a, o, s, c.place()) == T(-9));                                    \
    CHECK((last_semantics & 0xc) == 0);                                                                                \
    T wanted = 8;                                                                                                      \
    CHECK(!__acpp_sscp_cmp_exch_strong_##T(a, o, order::relaxed, s, c.place(), &wanted, 1) && wanted == T(-9));        \
    CHECK(__acpp_sscp_cmp_exch_weak_##T(a, o, order::acquire, s, c.place(), &wanted, 1) && c.is(1));                   \
    CHECK((failure_semantics & 0xc) == 0 && (a == space::private_ || (last_semantics & 0x1a) != 0));                   \
  }

static void atomics(space a, order o, scope s) {
  BITS(i8)
  BITS(i16)
  BITS(i32)
  BITS(i64)
  ARITHMETIC(i8)
  ARITHMETIC(i16)
  ARITHMETIC(i32)
  ARITHMETIC(i64)
  ARITHMETIC(u8)
  ARITHMETIC(u16)
  ARITHMETIC(u32)
  ARITHMETIC(u64)
  ARITHMETIC(f32)
  ARITHMETIC(f64)
}

static u16 bits_of(f16 x) { return __builtin_bit_cast(u16, x); }

// NaN may differ in its payload.
static bool same(u16 a, u16 b) { return a == b || ((a & 0x7fff) > 0x7c00 && (b & 0x7fff) > 0x7c00); }

static void halves() {
  for (u32 i = 0; i < 0x10000; ++i) {
    f16 exact = __builtin_bit_cast(f16, (u16)i);
    f32 wide = half_bits::wide((u16)i);
    CHECK(wide == (f32)exact || (wide != wide && exact != exact));
    CHECK(same(half_bits::of(wide), (u16)i));
  }
  for (u64 i = 0; i < 1ull << 32; i += 997) {
    f32 x = __builtin_bit_cast(f32, (u32)i);
    CHECK(same(half_bits::of(x), bits_of((f16)x)));
  }
  for (u32 i = 0; i < 0x10000; i += 13)
    for (u32 j = 0; j < 0x10000; j += 331) {
      f16 x = __builtin_bit_cast(f16, (u16)i), y = __builtin_bit_cast(f16, (u16)j);
      CHECK(same(__acpp_sscp_half_add((u16)i, (u16)j), bits_of((f16)((f32)x + (f32)y))));
      CHECK(same(__acpp_sscp_half_div((u16)i, (u16)j), bits_of((f16)((f32)x / (f32)y))));
      CHECK(__acpp_sscp_half_lt((u16)i, (u16)j) == (x < y));
      CHECK(__acpp_sscp_half_gte((u16)i, (u16)j) == (x >= y));
    }
}

int main() {
  for (space a : {space::global, space::local, space::private_, space::generic})
    for (int o = 0; o < 5; ++o)
      for (int s = 0; s < 5; ++s)
        atomics(a, order(o), scope(s));
  halves();
  return failures != 0;
}
