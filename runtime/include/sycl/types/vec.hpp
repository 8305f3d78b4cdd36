// vec: a short vector of numbers with element-wise operators.
//
// An array, aligned to its size (64 bytes at most); three elements occupy the space of four.
// Operators are loops over the elements, which the target's optimiser vectorises. The named
// elements are references; lo(), hi(), swizzle() and, with SYCL_SIMPLE_SWIZZLES, named swizzles
// return constant copies, so that assigning to them does not compile.
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include "../math/relational.hpp"

namespace sycl {

template <class Type, int Count> class vec;

enum class rounding_mode { automatic, rte, rtz, rtp, rtn };

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

template <class Type> struct element_count { static constexpr int value = 1; };
template <class Type, int Count> struct element_count<vec<Type, Count>> { static constexpr int value = Count; };

template <class To, rounding_mode Mode, class From> constexpr To convert(From value) noexcept {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    if constexpr (Mode == rounding_mode::rte)
      return static_cast<To>(rint(value));
    else if constexpr (Mode == rounding_mode::rtp)
      return static_cast<To>(ceil(value));
    else if constexpr (Mode == rounding_mode::rtn)
      return static_cast<To>(floor(value));
    else
      return static_cast<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

} // namespace detail

template <class Type, int Count> class vec {
  static_assert(Count == 1 || Count == 2 || Count == 3 || Count == 4 || Count == 8 || Count == 16,
                "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static constexpr int stored = Count == 3 ? 4 : Count;
  static constexpr std::size_t room = sizeof(Type) * stored;

public:
  using element_type = Type;
  using value_type = Type;
  // Result of a comparison: integers of the elements' size, -1 for true.
  using mask_type = vec<typename detail::mask<sizeof(Type)>::type, Count>;

  constexpr vec() noexcept = default;
  explicit constexpr vec(const Type &all) noexcept {
    for (int i = 0; i < Count; ++i)
      value[i] = all;
  }
  // Scalars and vectors in any combination with the right number of elements.
  template <class First, class Second, class... Rest,
            detail::enable_if<detail::element_count<std::decay_t<First>>::value +
                                  detail::element_count<std::decay_t<Second>>::value +
                                  (0 + ... + detail::element_count<std::decay_t<Rest>>::value) == Count> = 0>
  constexpr vec(const First &first, const Second &second, const Rest &...rest) noexcept {
    int next = 0;
    append(next, first);
    append(next, second);
    (append(next, rest), ...);
  }
  constexpr vec &operator=(const Type &all) noexcept { return *this = vec(all); }

  template <int Length = Count, detail::enable_if<Length == 1> = 0> constexpr operator Type() const noexcept {
    return value[0];
  }

  static constexpr std::size_t byte_size() noexcept { return sizeof(vec); }
  static constexpr std::size_t size() noexcept { return Count; }
  static constexpr std::size_t get_size() noexcept { return byte_size(); }
  static constexpr std::size_t get_count() noexcept { return size(); }

  constexpr Type &operator[](int index) noexcept { return value[index]; }
  constexpr const Type &operator[](int index) const noexcept { return value[index]; }

#define SINTER_ELEMENT(name, index)                                                                                  \
  constexpr Type &name() noexcept {                                                                                  \
    static_assert(index < Count, "the vec has no such element");                                                     \
    return value[index];                                                                                             \
  }                                                                                                                  \
  constexpr const Type &name() const noexcept {                                                                      \
    static_assert(index < Count, "the vec has no such element");                                                     \
    return value[index];                                                                                             \
  }
  SINTER_ELEMENT(x, 0)
  SINTER_ELEMENT(y, 1)
  SINTER_ELEMENT(z, 2)
  SINTER_ELEMENT(w, 3)
  SINTER_ELEMENT(r, 0)
  SINTER_ELEMENT(g, 1)
  SINTER_ELEMENT(b, 2)
  SINTER_ELEMENT(a, 3)
  SINTER_ELEMENT(s0, 0)
  SINTER_ELEMENT(s1, 1)
  SINTER_ELEMENT(s2, 2)
  SINTER_ELEMENT(s3, 3)
  SINTER_ELEMENT(s4, 4)
  SINTER_ELEMENT(s5, 5)
  SINTER_ELEMENT(s6, 6)
  SINTER_ELEMENT(s7, 7)
  SINTER_ELEMENT(s8, 8)
  SINTER_ELEMENT(s9, 9)
  SINTER_ELEMENT(sA, 10)
  SINTER_ELEMENT(sB, 11)
  SINTER_ELEMENT(sC, 12)
  SINTER_ELEMENT(sD, 13)
  SINTER_ELEMENT(sE, 14)
  SINTER_ELEMENT(sF, 15)
#undef SINTER_ELEMENT

  template <int... Index> constexpr const vec<Type, sizeof...(Index)> swizzle() const noexcept {
    return pick<vec<Type, sizeof...(Index)>>(Index...);
  }
#ifdef SYCL_SIMPLE_SWIZZLES
#include "../detail/swizzles.hpp"
#endif
  constexpr const vec<Type, stored / 2> lo() const noexcept { return half(0, 1); }
  constexpr const vec<Type, stored / 2> hi() const noexcept { return half(stored / 2, 1); }
  constexpr const vec<Type, stored / 2> even() const noexcept { return half(0, 2); }
  constexpr const vec<Type, stored / 2> odd() const noexcept { return half(1, 2); }

  template <class To, rounding_mode Mode = rounding_mode::automatic> constexpr vec<To, Count> convert() const noexcept {
    vec<To, Count> result;
    for (int i = 0; i < Count; ++i)
      result[i] = detail::convert<To, Mode>(value[i]);
    return result;
  }
  template <class Other> constexpr Other as() const noexcept { return bit_cast<Other>(*this); }

  // `offset` counts vectors of this type.
  template <class Pointer> constexpr void load(std::size_t offset, Pointer from) noexcept {
    for (std::size_t i = 0; i < Count; ++i)
      value[i] = from[offset * Count + i];
  }
  template <class Pointer> constexpr void store(std::size_t offset, Pointer to) const noexcept {
    for (std::size_t i = 0; i < Count; ++i)
      to[offset * Count + i] = value[i];
  }

#define SINTER_VEC_OPERATOR(op)                                                                                      \
  friend constexpr vec operator op(const vec &a, const vec &b) noexcept {                                            \
    vec result;                                                                                                      \
    for (int i = 0; i < Count; ++i)                                                                                  \
      result[i] = static_cast<Type>(a[i] op b[i]);                                                                   \
    return result;                                                                                                   \
  }                                                                                                                  \
  friend constexpr vec operator op(const vec &a, const Type &b) noexcept { return a op vec(b); }                     \
  friend constexpr vec operator op(const Type &a, const vec &b) noexcept { return vec(a) op b; }                     \
  friend constexpr vec &operator op##=(vec &a, const vec &b) noexcept { return a = a op b; }                         \
  friend constexpr vec &operator op##=(vec &a, const Type &b) noexcept { return a = a op vec(b); }
  SINTER_VEC_OPERATOR(+)
  SINTER_VEC_OPERATOR(-)
  SINTER_VEC_OPERATOR(*)
  SINTER_VEC_OPERATOR(/)
  SINTER_VEC_OPERATOR(%)
  SINTER_VEC_OPERATOR(&)
  SINTER_VEC_OPERATOR(|)
  SINTER_VEC_OPERATOR(^)
  SINTER_VEC_OPERATOR(<<)
  SINTER_VEC_OPERATOR(>>)
#undef SINTER_VEC_OPERATOR

#define SINTER_VEC_COMPARISON(op)                                                                                    \
  friend constexpr mask_type operator op(const vec &a, const vec &b) noexcept {                                      \
    mask_type result;                                                                                                \
    for (int i = 0; i < Count; ++i)                                                                                  \
      result[i] = (a[i] op b[i]) ? -1 : 0;                                                                           \
    return result;                                                                                                   \
  }                                                                                                                  \
  friend constexpr mask_type operator op(const vec &a, const Type &b) noexcept { return a op vec(b); }               \
  friend constexpr mask_type operator op(const Type &a, const vec &b) noexcept { return vec(a) op b; }
  SINTER_VEC_COMPARISON(==)
  SINTER_VEC_COMPARISON(!=)
  SINTER_VEC_COMPARISON(<)
  SINTER_VEC_COMPARISON(>)
  SINTER_VEC_COMPARISON(<=)
  SINTER_VEC_COMPARISON(>=)
  SINTER_VEC_COMPARISON(&&)
  SINTER_VEC_COMPARISON(||)
#undef SINTER_VEC_COMPARISON

  friend constexpr vec operator+(const vec &a) noexcept { return a; }
  friend constexpr vec operator-(const vec &a) noexcept {
    vec result;
    for (int i = 0; i < Count; ++i)
      result[i] = static_cast<Type>(-a[i]);
    return result;
  }
  friend constexpr vec operator~(const vec &a) noexcept {
    vec result;
    for (int i = 0; i < Count; ++i)
      result[i] = static_cast<Type>(~a[i]);
    return result;
  }
  friend constexpr mask_type operator!(const vec &a) noexcept { return a == Type(0); }
  friend constexpr vec &operator++(vec &a) noexcept { return a += Type(1); }
  friend constexpr vec &operator--(vec &a) noexcept { return a -= Type(1); }
  friend constexpr vec operator++(vec &a, int) noexcept {
    const vec before = a;
    a += Type(1);
    return before;
  }
  friend constexpr vec operator--(vec &a, int) noexcept {
    const vec before = a;
    a -= Type(1);
    return before;
  }

private:
  template <class Number> constexpr void append(int &next, const Number &number) noexcept {
    value[next++] = static_cast<Type>(number);
  }
  template <class Another, int Length> constexpr void append(int &next, const vec<Another, Length> &part) noexcept {
    for (int i = 0; i < Length; ++i)
      value[next++] = static_cast<Type>(part[i]);
  }

  template <class Result, class... Index> constexpr Result pick(Index... index) const noexcept {
    Result result;
    int next = 0;
    ((result[next++] = value[index]), ...);
    return result;
  }
  // For a vec of three the fourth element in its halves is unspecified.
  constexpr vec<Type, stored / 2> half(int first, int stride) const noexcept {
    vec<Type, stored / 2> result;
    for (int i = 0; i < stored / 2; ++i)
      result[i] = value[first + stride * i];
    return result;
  }

  alignas(room < 64 ? room : 64) Type value[stored] = {};
};

template <class Type, class... Rest> vec(Type, Rest...) -> vec<Type, 1 + sizeof...(Rest)>;

template <class Type, int Count> struct is_device_copyable<vec<Type, Count>> : is_device_copyable<Type> {};

using schar = signed char;
using uchar = unsigned char;
using ushort = unsigned short;
using uint = unsigned int;
using ulong = unsigned long;
using longlong = long long;
using ulonglong = unsigned long long;

#define SINTER_VEC_NAMES(name, type)                                                                                 \
  using name##2 = vec<type, 2>;                                                                                      \
  using name##3 = vec<type, 3>;                                                                                      \
  using name##4 = vec<type, 4>;                                                                                      \
  using name##8 = vec<type, 8>;                                                                                      \
  using name##16 = vec<type, 16>;
SINTER_VEC_NAMES(char, std::int8_t)
SINTER_VEC_NAMES(schar, std::int8_t)
SINTER_VEC_NAMES(uchar, std::uint8_t)
SINTER_VEC_NAMES(short, std::int16_t)
SINTER_VEC_NAMES(ushort, std::uint16_t)
SINTER_VEC_NAMES(int, std::int32_t)
SINTER_VEC_NAMES(uint, std::uint32_t)
SINTER_VEC_NAMES(long, std::int64_t)
SINTER_VEC_NAMES(ulong, std::uint64_t)
SINTER_VEC_NAMES(longlong, std::int64_t)
SINTER_VEC_NAMES(ulonglong, std::uint64_t)
SINTER_VEC_NAMES(float, float)
SINTER_VEC_NAMES(double, double)
#undef SINTER_VEC_NAMES

} // namespace sycl

#endif
