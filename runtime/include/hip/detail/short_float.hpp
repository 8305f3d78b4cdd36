// A floating-point type of 16 bits, pairs of it, and their functions. half.hpp and bfloat16.hpp
// include this with the names of theirs as macros; SINTER_HIP_WORD(a, b) is `a`, the word in names
// of functions (`half`, `bfloat16`), `b`.
//
// Every operation is computed in float and rounded once, which is what an operation on the type
// gives; the translator turns it into the device's instruction. *Invariant:* the conversions are
// those of SYCL's types.

struct SINTER_HIP_RAW {
  unsigned short x;
};
struct __attribute__((aligned(4))) SINTER_HIP_RAW_PAIR {
  unsigned short x, y;
};

struct SINTER_HIP_SHORT {
  unsigned short __x;

  SINTER_HIP_SHORT() = default;
  template <class Number, typename std::enable_if<std::is_arithmetic<Number>::value, int>::type = 0>
  SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT(const Number &x) : __x(SINTER_HIP_TO_BITS(x)) {}
  SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT(const SINTER_HIP_RAW &raw) : __x(raw.x) {}
  SINTER_HIP_BOTH constexpr operator float() const { return SINTER_HIP_OF_BITS(__x); }
  SINTER_HIP_BOTH constexpr operator SINTER_HIP_RAW() const { return SINTER_HIP_RAW{__x}; }

#define SINTER_HIP_NUMBER                                                                                            \
  template <class Number, typename std::enable_if<std::is_arithmetic<Number>::value, int>::type = 0>
// With a float or double the result is one.
#define SINTER_HIP_RESULT typename std::conditional<std::is_integral<Number>::value, SINTER_HIP_SHORT, Number>::type
#define SINTER_HIP_OPERATION(op)                                                                                     \
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT operator op(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {            \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_HIP_NUMBER friend SINTER_HIP_BOTH constexpr SINTER_HIP_RESULT operator op(SINTER_HIP_SHORT a, Number b) {   \
    using result = SINTER_HIP_RESULT;                                                                                \
    return static_cast<result>(static_cast<result>(a) op static_cast<result>(b));                                    \
  }                                                                                                                  \
  SINTER_HIP_NUMBER friend SINTER_HIP_BOTH constexpr SINTER_HIP_RESULT operator op(Number a, SINTER_HIP_SHORT b) {   \
    using result = SINTER_HIP_RESULT;                                                                                \
    return static_cast<result>(static_cast<result>(a) op static_cast<result>(b));                                    \
  }                                                                                                                  \
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT &operator op##=(SINTER_HIP_SHORT & a, SINTER_HIP_SHORT b) {      \
    return a = a op b;                                                                                               \
  }
#define SINTER_HIP_RELATION(op)                                                                                      \
  friend SINTER_HIP_BOTH constexpr bool operator op(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {                        \
    return static_cast<float>(a) op static_cast<float>(b);                                                           \
  }                                                                                                                  \
  SINTER_HIP_NUMBER friend SINTER_HIP_BOTH constexpr bool operator op(SINTER_HIP_SHORT a, Number b) {                \
    return static_cast<float>(a) op b;                                                                               \
  }                                                                                                                  \
  SINTER_HIP_NUMBER friend SINTER_HIP_BOTH constexpr bool operator op(Number a, SINTER_HIP_SHORT b) {                \
    return a op static_cast<float>(b);                                                                               \
  }
  SINTER_HIP_OPERATION(+)
  SINTER_HIP_OPERATION(-)
  SINTER_HIP_OPERATION(*)
  SINTER_HIP_OPERATION(/)
  SINTER_HIP_RELATION(==)
  SINTER_HIP_RELATION(!=)
  SINTER_HIP_RELATION(<)
  SINTER_HIP_RELATION(>)
  SINTER_HIP_RELATION(<=)
  SINTER_HIP_RELATION(>=)
#undef SINTER_HIP_RELATION
#undef SINTER_HIP_OPERATION
#undef SINTER_HIP_RESULT
#undef SINTER_HIP_NUMBER
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT operator+(SINTER_HIP_SHORT a) { return a; }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT operator-(SINTER_HIP_SHORT a) {
    return SINTER_HIP_RAW{sycl::detail::negated(a.__x)};
  }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT &operator++(SINTER_HIP_SHORT &a) { return a = a + 1.0f; }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT &operator--(SINTER_HIP_SHORT &a) { return a = a - 1.0f; }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT operator++(SINTER_HIP_SHORT &a, int) {
    const SINTER_HIP_SHORT before = a;
    ++a;
    return before;
  }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_SHORT operator--(SINTER_HIP_SHORT &a, int) {
    const SINTER_HIP_SHORT before = a;
    --a;
    return before;
  }
};

struct __attribute__((aligned(4))) SINTER_HIP_PAIR {
  SINTER_HIP_SHORT x, y;

  SINTER_HIP_PAIR() = default;
  SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR(SINTER_HIP_SHORT x, SINTER_HIP_SHORT y) : x(x), y(y) {}
  explicit SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR(SINTER_HIP_SHORT x) : x(x), y(x) {}
  SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR(const SINTER_HIP_RAW_PAIR &raw)
      : x(SINTER_HIP_RAW{raw.x}), y(SINTER_HIP_RAW{raw.y}) {}
  SINTER_HIP_BOTH constexpr operator SINTER_HIP_RAW_PAIR() const { return SINTER_HIP_RAW_PAIR{x.__x, y.__x}; }

#define SINTER_HIP_OPERATION(op)                                                                                     \
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR operator op(const SINTER_HIP_PAIR &a, const SINTER_HIP_PAIR &b) { \
    return SINTER_HIP_PAIR(a.x op b.x, a.y op b.y);                                                                  \
  }                                                                                                                  \
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR &operator op##=(SINTER_HIP_PAIR & a, const SINTER_HIP_PAIR & b) { \
    return a = a op b;                                                                                               \
  }
#define SINTER_HIP_RELATION(op)                                                                                      \
  friend SINTER_HIP_BOTH constexpr bool operator op(const SINTER_HIP_PAIR &a, const SINTER_HIP_PAIR &b) {            \
    return a.x op b.x && a.y op b.y;                                                                                 \
  }
  SINTER_HIP_OPERATION(+)
  SINTER_HIP_OPERATION(-)
  SINTER_HIP_OPERATION(*)
  SINTER_HIP_OPERATION(/)
  SINTER_HIP_RELATION(==)
  SINTER_HIP_RELATION(<)
  SINTER_HIP_RELATION(>)
  SINTER_HIP_RELATION(<=)
  SINTER_HIP_RELATION(>=)
#undef SINTER_HIP_RELATION
#undef SINTER_HIP_OPERATION
  friend SINTER_HIP_BOTH constexpr bool operator!=(const SINTER_HIP_PAIR &a, const SINTER_HIP_PAIR &b) {
    return !(a == b);
  }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR operator+(const SINTER_HIP_PAIR &a) { return a; }
  friend SINTER_HIP_BOTH constexpr SINTER_HIP_PAIR operator-(const SINTER_HIP_PAIR &a) {
    return SINTER_HIP_PAIR(-a.x, -a.y);
  }
};

SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_MAKE(SINTER_HIP_SHORT x, SINTER_HIP_SHORT y) {
  return SINTER_HIP_PAIR(x, y);
}

// Conversions. Those from double and integers round once too.
#define SINTER_HIP_ROUNDED(name, type, mode)                                                                         \
  SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(name, _##mode)(type x) {                                          \
    return sycl::detail::round_fraction<SINTER_HIP_SHORT, sinter_hip_##mode>(x);                                     \
  }
#define SINTER_HIP_ROUNDED_ALL(name, type)                                                                           \
  SINTER_HIP_ROUNDED(name, type, rn)                                                                                 \
  SINTER_HIP_ROUNDED(name, type, rd)                                                                                 \
  SINTER_HIP_ROUNDED(name, type, ru)                                                                                 \
  SINTER_HIP_ROUNDED(name, type, rz)
SINTER_HIP_ROUNDED_ALL(__float2, float)
SINTER_HIP_ROUNDED_ALL(__double2, double)
SINTER_HIP_ROUNDED_ALL(__int2, int)
SINTER_HIP_ROUNDED_ALL(__uint2, unsigned)
SINTER_HIP_ROUNDED_ALL(__short2, short)
SINTER_HIP_ROUNDED_ALL(__ushort2, unsigned short)
SINTER_HIP_ROUNDED_ALL(__ll2, long long)
SINTER_HIP_ROUNDED_ALL(__ull2, unsigned long long)
#undef SINTER_HIP_ROUNDED_ALL
#undef SINTER_HIP_ROUNDED
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__float2, )(float x) { return x; }
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__double2, )(double x) { return x; }

// The other way: in the range of the integer, and 0 for NaN.
#define SINTER_HIP_INTEGER(to, type, mode)                                                                           \
  SINTER_HIP_BOTH type SINTER_HIP_WORD(__, 2##to##_##mode)(SINTER_HIP_SHORT x) {                                     \
    return sinter_hip_integer<type>(sinter_hip_whole_##mode(static_cast<float>(x)));                                 \
  }
#define SINTER_HIP_INTEGERS(to, type)                                                                                \
  SINTER_HIP_INTEGER(to, type, rn)                                                                                   \
  SINTER_HIP_INTEGER(to, type, rd)                                                                                   \
  SINTER_HIP_INTEGER(to, type, ru)                                                                                   \
  SINTER_HIP_INTEGER(to, type, rz)
SINTER_HIP_INTEGERS(int, int)
SINTER_HIP_INTEGERS(uint, unsigned)
SINTER_HIP_INTEGERS(short, short)
SINTER_HIP_INTEGERS(ushort, unsigned short)
SINTER_HIP_INTEGERS(ll, long long)
SINTER_HIP_INTEGERS(ull, unsigned long long)
SINTER_HIP_INTEGER(char, signed char, rz)
SINTER_HIP_INTEGER(uchar, unsigned char, rz)
#undef SINTER_HIP_INTEGERS
#undef SINTER_HIP_INTEGER
SINTER_HIP_BOTH float SINTER_HIP_WORD(__, 2float)(SINTER_HIP_SHORT x) { return x; }
SINTER_HIP_BOTH short SINTER_HIP_WORD(__, _as_short)(SINTER_HIP_SHORT x) { return static_cast<short>(x.__x); }
SINTER_HIP_BOTH unsigned short SINTER_HIP_WORD(__, _as_ushort)(SINTER_HIP_SHORT x) { return x.__x; }
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__short_as_, )(short x) {
  return SINTER_HIP_RAW{static_cast<unsigned short>(x)};
}
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__ushort_as_, )(unsigned short x) { return SINTER_HIP_RAW{x}; }

// Pairs from and to numbers, and parts of them.
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__float2, 2_rn)(float x) { return SINTER_HIP_PAIR(x, x); }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__floats2, 2_rn)(float x, float y) { return SINTER_HIP_PAIR(x, y); }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__float22, 2_rn)(float2 x) { return SINTER_HIP_PAIR(x.x, x.y); }
SINTER_HIP_BOTH float2 SINTER_HIP_WORD(__, 22float2)(SINTER_HIP_PAIR x) { return float2{x.x, x.y}; }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_DOUBLED(SINTER_HIP_SHORT x) { return SINTER_HIP_PAIR(x, x); }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__halves2, 2)(SINTER_HIP_SHORT x, SINTER_HIP_SHORT y) {
  return SINTER_HIP_PAIR(x, y);
}
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__low2, )(SINTER_HIP_PAIR x) { return x.x; }
SINTER_HIP_BOTH SINTER_HIP_SHORT SINTER_HIP_WORD(__high2, )(SINTER_HIP_PAIR x) { return x.y; }
SINTER_HIP_BOTH float __low2float(SINTER_HIP_PAIR x) { return x.x; }
SINTER_HIP_BOTH float __high2float(SINTER_HIP_PAIR x) { return x.y; }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__low2, 2)(SINTER_HIP_PAIR x) { return SINTER_HIP_PAIR(x.x, x.x); }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__high2, 2)(SINTER_HIP_PAIR x) { return SINTER_HIP_PAIR(x.y, x.y); }
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__lows2, 2)(SINTER_HIP_PAIR x, SINTER_HIP_PAIR y) {
  return SINTER_HIP_PAIR(x.x, y.x);
}
SINTER_HIP_BOTH SINTER_HIP_PAIR SINTER_HIP_WORD(__highs2, 2)(SINTER_HIP_PAIR x, SINTER_HIP_PAIR y) {
  return SINTER_HIP_PAIR(x.y, y.y);
}
SINTER_HIP_BOTH SINTER_HIP_PAIR __lowhigh2highlow(SINTER_HIP_PAIR x) { return SINTER_HIP_PAIR(x.y, x.x); }

// Arithmetic. `_rn` is not contracted with other operations; `_sat` gives 0 to 1, and 0 for NaN.
#define SINTER_HIP_ON_PAIRS_1(name, of)                                                                              \
  SINTER_HIP_BOTH SINTER_HIP_PAIR name(SINTER_HIP_PAIR a) { return SINTER_HIP_PAIR(of(a.x), of(a.y)); }
#define SINTER_HIP_ON_PAIRS_2(name, of)                                                                              \
  SINTER_HIP_BOTH SINTER_HIP_PAIR name(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b) {                                       \
    return SINTER_HIP_PAIR(of(a.x, b.x), of(a.y, b.y));                                                              \
  }
// NVIDIA's GPUs have instructions for both parts at once.
#define SINTER_HIP_AT_ONCE(result)                                                                                   \
  if (!__acpp_sscp_is_host)                                                                                          \
    if (__acpp_sscp_jit_reflect_compiler_backend() == sycl::detail::ptx_compiler)                                    \
      return __builtin_bit_cast(SINTER_HIP_PAIR, result);
#ifdef SINTER_HIP_VECTOR
#define SINTER_HIP_VECTOR_OF(a) __builtin_bit_cast(SINTER_HIP_VECTOR, a)
#define SINTER_HIP_VECTOR_2(op) SINTER_HIP_AT_ONCE(SINTER_HIP_VECTOR_OF(a) op SINTER_HIP_VECTOR_OF(b))
#define SINTER_HIP_VECTOR_FMA                                                                                        \
  SINTER_HIP_AT_ONCE(                                                                                                \
      __builtin_elementwise_fma(SINTER_HIP_VECTOR_OF(a), SINTER_HIP_VECTOR_OF(b), SINTER_HIP_VECTOR_OF(c)))
#else
#define SINTER_HIP_VECTOR_2(op)
#define SINTER_HIP_VECTOR_FMA
#endif
#define SINTER_HIP_ON_PAIRS_3(name, of)                                                                              \
  SINTER_HIP_BOTH SINTER_HIP_PAIR name(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b, SINTER_HIP_PAIR c) {                    \
    return SINTER_HIP_PAIR(of(a.x, b.x, c.x), of(a.y, b.y, c.y));                                                    \
  }
SINTER_HIP_BOTH SINTER_HIP_SHORT sinter_hip_saturated(SINTER_HIP_SHORT x) { return fminf(fmaxf(x, 0.0f), 1.0f); }
#define SINTER_HIP_ARITHMETIC(name, op)                                                                              \
  SINTER_HIP_BOTH SINTER_HIP_SHORT __h##name(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return a op b; }              \
  SINTER_HIP_BOTH SINTER_HIP_SHORT __h##name##_rn(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {                          \
    _Pragma("clang fp contract(off)") return static_cast<float>(a) op static_cast<float>(b);                         \
  }                                                                                                                  \
  SINTER_HIP_BOTH SINTER_HIP_SHORT __h##name##_sat(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {                         \
    return sinter_hip_saturated(a op b);                                                                             \
  }                                                                                                                  \
  SINTER_HIP_BOTH SINTER_HIP_PAIR __h##name##2(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b) {                               \
    SINTER_HIP_VECTOR_2(op)                                                                                          \
    return SINTER_HIP_PAIR(__h##name(a.x, b.x), __h##name(a.y, b.y));                                                \
  }                                                                                                                  \
  SINTER_HIP_ON_PAIRS_2(__h##name##2_rn, __h##name##_rn)                                                             \
  SINTER_HIP_ON_PAIRS_2(__h##name##2_sat, __h##name##_sat)
SINTER_HIP_ARITHMETIC(add, +)
SINTER_HIP_ARITHMETIC(sub, -)
SINTER_HIP_ARITHMETIC(mul, *)
#undef SINTER_HIP_ARITHMETIC
SINTER_HIP_BOTH SINTER_HIP_SHORT __hdiv(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return a / b; }
SINTER_HIP_ON_PAIRS_2(__h2div, __hdiv)
SINTER_HIP_BOTH SINTER_HIP_SHORT __hfma(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b, SINTER_HIP_SHORT c) {
  return SINTER_HIP_RAW{SINTER_HIP_FUSED(a.__x, b.__x, c.__x)};
}
SINTER_HIP_BOTH SINTER_HIP_SHORT __hfma_sat(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b, SINTER_HIP_SHORT c) {
  return sinter_hip_saturated(__hfma(a, b, c));
}
// Of two zeros the positive one is the larger, and of a number and a NaN the number.
SINTER_HIP_BOTH SINTER_HIP_SHORT __hmax(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return fmaxf(a, b); }
SINTER_HIP_BOTH SINTER_HIP_SHORT __hmin(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return fminf(a, b); }
SINTER_HIP_BOTH SINTER_HIP_SHORT __hmax_nan(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {
  return a != a ? a : b != b ? b : __hmax(a, b);
}
SINTER_HIP_BOTH SINTER_HIP_SHORT __hmin_nan(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) {
  return a != a ? a : b != b ? b : __hmin(a, b);
}
SINTER_HIP_BOTH SINTER_HIP_SHORT __hfma_relu(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b, SINTER_HIP_SHORT c) {
  return __hmax_nan(__hfma(a, b, c), 0.0f);
}
SINTER_HIP_BOTH SINTER_HIP_SHORT __hneg(SINTER_HIP_SHORT a) { return -a; }
SINTER_HIP_BOTH SINTER_HIP_SHORT __habs(SINTER_HIP_SHORT a) {
  return SINTER_HIP_RAW{static_cast<unsigned short>(a.__x & 0x7fffu)};
}
SINTER_HIP_BOTH SINTER_HIP_PAIR __hfma2(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b, SINTER_HIP_PAIR c) {
  SINTER_HIP_VECTOR_FMA
  return SINTER_HIP_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
SINTER_HIP_ON_PAIRS_3(__hfma2_sat, __hfma_sat)
SINTER_HIP_ON_PAIRS_3(__hfma2_relu, __hfma_relu)
SINTER_HIP_ON_PAIRS_2(__hmax2, __hmax)
SINTER_HIP_ON_PAIRS_2(__hmin2, __hmin)
SINTER_HIP_ON_PAIRS_2(__hmax2_nan, __hmax_nan)
SINTER_HIP_ON_PAIRS_2(__hmin2_nan, __hmin_nan)
SINTER_HIP_ON_PAIRS_1(__hneg2, __hneg)
SINTER_HIP_ON_PAIRS_1(__habs2, __habs)

// Comparisons; those with `u` are true for a NaN. Of pairs: 1 or 0 for each part, a mask, or
// whether both are true.
#define SINTER_HIP_COMPARE(name, ordered, unordered)                                                                 \
  SINTER_HIP_BOTH bool __h##name(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return ordered; }                         \
  SINTER_HIP_BOTH bool __h##name##u(SINTER_HIP_SHORT a, SINTER_HIP_SHORT b) { return unordered; }                    \
  SINTER_HIP_COMPARE_PAIRS(name)                                                                                     \
  SINTER_HIP_COMPARE_PAIRS(name##u)
#define SINTER_HIP_COMPARE_PAIRS(name)                                                                               \
  SINTER_HIP_BOTH SINTER_HIP_PAIR __h##name##2(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b) {                               \
    return SINTER_HIP_PAIR(__h##name(a.x, b.x) ? 1.0f : 0.0f, __h##name(a.y, b.y) ? 1.0f : 0.0f);                    \
  }                                                                                                                  \
  SINTER_HIP_BOTH unsigned __h##name##2_mask(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b) {                                 \
    return (__h##name(a.x, b.x) ? 0xffffu : 0u) | (__h##name(a.y, b.y) ? 0xffff0000u : 0u);                          \
  }                                                                                                                  \
  SINTER_HIP_BOTH bool __hb##name##2(SINTER_HIP_PAIR a, SINTER_HIP_PAIR b) {                                         \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                                               \
  }
SINTER_HIP_COMPARE(eq, a == b, !(a < b || a > b))
SINTER_HIP_COMPARE(ne, a<b || a> b, a != b)
SINTER_HIP_COMPARE(lt, a < b, !(a >= b))
SINTER_HIP_COMPARE(le, a <= b, !(a > b))
SINTER_HIP_COMPARE(gt, a > b, !(a <= b))
SINTER_HIP_COMPARE(ge, a >= b, !(a < b))
#undef SINTER_HIP_COMPARE_PAIRS
#undef SINTER_HIP_COMPARE
SINTER_HIP_BOTH bool __hisnan(SINTER_HIP_SHORT x) { return x != x; }
SINTER_HIP_BOTH int __hisinf(SINTER_HIP_SHORT x) {
  return x == __builtin_inff() ? 1 : x == -__builtin_inff() ? -1 : 0;
}
SINTER_HIP_BOTH SINTER_HIP_PAIR __hisnan2(SINTER_HIP_PAIR x) {
  return SINTER_HIP_PAIR(__hisnan(x.x) ? 1.0f : 0.0f, __hisnan(x.y) ? 1.0f : 0.0f);
}

// Functions of float, rounded once more.
#define SINTER_HIP_FUNCTION(name, of)                                                                                \
  SINTER_HIP_BOTH SINTER_HIP_SHORT h##name(SINTER_HIP_SHORT x) { return of(static_cast<float>(x)); }                 \
  SINTER_HIP_ON_PAIRS_1(h2##name, h##name)
SINTER_HIP_FUNCTION(sqrt, sqrtf)
SINTER_HIP_FUNCTION(rsqrt, 1.0f / sqrtf)
SINTER_HIP_FUNCTION(rcp, 1.0f /)
SINTER_HIP_FUNCTION(exp, expf)
SINTER_HIP_FUNCTION(exp2, exp2f)
SINTER_HIP_FUNCTION(exp10, exp10f)
SINTER_HIP_FUNCTION(log, logf)
SINTER_HIP_FUNCTION(log2, log2f)
SINTER_HIP_FUNCTION(log10, log10f)
SINTER_HIP_FUNCTION(sin, sinf)
SINTER_HIP_FUNCTION(cos, cosf)
SINTER_HIP_FUNCTION(tanh, tanhf)
SINTER_HIP_FUNCTION(floor, floorf)
SINTER_HIP_FUNCTION(ceil, ceilf)
SINTER_HIP_FUNCTION(trunc, truncf)
SINTER_HIP_FUNCTION(rint, rintf)
#undef SINTER_HIP_FUNCTION
#undef SINTER_HIP_VECTOR_OF
#undef SINTER_HIP_VECTOR_2
#undef SINTER_HIP_VECTOR_FMA
#undef SINTER_HIP_AT_ONCE
#undef SINTER_HIP_ON_PAIRS_3
#undef SINTER_HIP_ON_PAIRS_2
#undef SINTER_HIP_ON_PAIRS_1

#ifdef __HIP__
// By exchanging the bits: each part of a pair is added at once with the other.
SINTER_HIP_DEVICE SINTER_HIP_SHORT atomicAdd(SINTER_HIP_SHORT *address, SINTER_HIP_SHORT value) {
  auto *bits = reinterpret_cast<unsigned short *>(address);
  for (unsigned short old = *bits;;) {
    const SINTER_HIP_SHORT before = SINTER_HIP_RAW{old};
    const unsigned short seen = atomicCAS(bits, old, (before + value).__x);
    if (seen == old)
      return before;
    old = seen;
  }
}
SINTER_HIP_DEVICE SINTER_HIP_PAIR atomicAdd(SINTER_HIP_PAIR *address, SINTER_HIP_PAIR value) {
  auto *bits = reinterpret_cast<unsigned *>(address);
  for (unsigned old = *bits;;) {
    const SINTER_HIP_PAIR before = sinter_hip_bits<SINTER_HIP_PAIR>(old);
    const unsigned seen = atomicCAS(bits, old, sinter_hip_bits<unsigned>(before + value));
    if (seen == old)
      return before;
    old = seen;
  }
}
SINTER_HIP_DEVICE SINTER_HIP_SHORT unsafeAtomicAdd(SINTER_HIP_SHORT *address, SINTER_HIP_SHORT value) {
  return atomicAdd(address, value);
}
SINTER_HIP_DEVICE SINTER_HIP_PAIR unsafeAtomicAdd(SINTER_HIP_PAIR *address, SINTER_HIP_PAIR value) {
  return atomicAdd(address, value);
}
SINTER_HIP_SHUFFLES(SINTER_HIP_SHORT, short)
SINTER_HIP_SHUFFLES(SINTER_HIP_PAIR, int)
#endif

// The next type defines them anew.
#undef SINTER_HIP_VECTOR
#undef SINTER_HIP_SHORT
#undef SINTER_HIP_PAIR
#undef SINTER_HIP_RAW
#undef SINTER_HIP_RAW_PAIR
#undef SINTER_HIP_MAKE
#undef SINTER_HIP_DOUBLED
#undef SINTER_HIP_WORD
#undef SINTER_HIP_TO_BITS
#undef SINTER_HIP_OF_BITS
#undef SINTER_HIP_FUSED
