// vec: a short vector of numbers with element-wise operators.
//
// An array, aligned to its size (64 bytes at most); three elements occupy the space of four.
// Operators are loops over the elements, which the target's optimiser vectorises. The named
// elements are references. lo(), hi(), even(), odd(), swizzle() and, with SYCL_SIMPLE_SWIZZLES,
// named swizzles are views that can be assigned to (detail/swizzled.hpp).
#ifndef SYCL_VEC_HPP
#define SYCL_VEC_HPP

#include "../detail/convert.hpp"
#include "bit_cast.hpp"

namespace sycl {

struct elem {
  static constexpr int x = 0, y = 1, z = 2, w = 3, r = 0, g = 1, b = 2, a = 3;
  static constexpr int s0 = 0, s1 = 1, s2 = 2, s3 = 3, s4 = 4, s5 = 5, s6 = 6, s7 = 7;
  static constexpr int s8 = 8, s9 = 9, sA = 10, sB = 11, sC = 12, sD = 13, sE = 14, sF = 15;
};

namespace detail {

// Elements that an argument of vec's constructor has: those of a vec of the same type, or one.
template <class Type, class Argument, bool = has_shape<Argument>> struct argument_length {
  static constexpr bool is_vec = false;
  static constexpr int value = std::is_convertible_v<const Argument &, Type> ? 1 : -100;
};
template <class Type, class Argument> struct argument_length<Type, Argument, true> {
  static constexpr bool is_vec = shape<Argument>::is_vec && std::is_same_v<shape_element<Argument>, Type>;
  static constexpr int value = is_vec ? shape<Argument>::count : argument_length<Type, Argument, false>::value;
};

// The compiler's vector type, where it has one.
template <class Type, int Count, bool = std::is_arithmetic_v<Type> && !std::is_same_v<Type, bool>>
struct native_vector {
  struct type;
};
template <class Type> struct native_vector<Type, 1, true> { using type = Type; };
#if defined(__clang__)
template <class Type, int Count> struct native_vector<Type, Count, true> {
  typedef Type type __attribute__((ext_vector_type(Count)));
};
#endif

} // namespace detail

template <class Type, int Count>
class vec : public detail::element_wise::operators<vec<Type, Count>>,
            public detail::simple_swizzles<vec<Type, Count>, Count> {
  static_assert(detail::is_length(Count), "a vec has 1, 2, 3, 4, 8 or 16 elements");
  static constexpr int stored = Count == 3 ? 4 : Count;
  static constexpr std::size_t room = sizeof(Type) * stored;
  template <class Vector>
  static constexpr bool is_native =
      Count > 1 && std::is_same_v<Vector, typename detail::native_vector<Type, Count>::type>;

public:
  using element_type = Type;
  using value_type = Type;
  using vector_t = typename detail::native_vector<Type, Count>::type;

  constexpr vec() noexcept = default;
  template <int Length = Count, detail::enable_if<(Length > 1)> = 0>
  explicit constexpr vec(const detail::no_deduction<Type> &all) noexcept {
    for (int i = 0; i < Count; ++i)
      value[i] = all;
  }
  template <int Length = Count, detail::enable_if<Length == 1> = 0, class = void>
  constexpr vec(const detail::no_deduction<Type> &only) noexcept : value{only} {}
  // Scalars and vectors in any combination with the right number of elements.
  template <class First, class Second, class... Rest,
            detail::enable_if<(detail::argument_length<Type, First>::value + ... +
                               detail::argument_length<Type, Rest>::value) +
                                  detail::argument_length<Type, Second>::value ==
                              Count> = 0>
  constexpr vec(const First &first, const Second &second, const Rest &...rest) noexcept {
    int next = 0;
    append(next, first);
    append(next, second);
    (append(next, rest), ...);
  }
  template <class Whole, int... Index,
            detail::enable_if<sizeof...(Index) == Count && std::is_same_v<typename Whole::value_type, Type>> = 0>
  constexpr vec(const detail::swizzled<Whole, Index...> &view) noexcept : vec(view.sinter_value()) {}
  template <class Vector, detail::enable_if<is_native<Vector>> = 0>
  constexpr vec(const Vector &native) noexcept {
    for (int i = 0; i < Count; ++i)
      value[i] = native[i];
  }

  template <class Source, detail::enable_if<std::is_convertible_v<const Source &, Type> &&
                                            !std::is_convertible_v<const Source &, vec>> = 0>
  constexpr vec &operator=(const Source &all) noexcept {
    const Type each = static_cast<Type>(all);
    for (int i = 0; i < Count; ++i)
      value[i] = each;
    return *this;
  }

  constexpr operator detail::single<Type, Count>() const noexcept { return value[0]; }
  template <class Other, detail::enable_if<Count == 1 && !std::is_same_v<Other, Type> && std::is_arithmetic_v<Other> &&
                                           std::is_constructible_v<Other, Type>> = 0>
  explicit constexpr operator Other() const noexcept {
    return static_cast<Other>(value[0]);
  }
  template <class Vector, detail::enable_if<is_native<Vector>> = 0> constexpr operator Vector() const noexcept {
    Vector native = {};
    for (int i = 0; i < Count; ++i)
      native[i] = value[i];
    return native;
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
  SINTER_ELEMENTS(SINTER_ELEMENT)
#undef SINTER_ELEMENT

#define SINTER_VIEWS(whole, qualifier)                                                                               \
  template <int... Index,                                                                                            \
            detail::enable_if<detail::is_length(sizeof...(Index)) && (... && (Index >= 0 && Index < Count))> = 0>    \
  constexpr auto swizzle() qualifier noexcept {                                                                      \
    return sinter_view<Index...>();                                                                                  \
  }                                                                                                                  \
  SINTER_HALVES(qualifier)                                                                                           \
  template <int... Index> constexpr auto sinter_view() qualifier noexcept {                                          \
    return detail::swizzled<whole, Index...>(*this);                                                                 \
  }
  SINTER_VIEWS(vec, )
  SINTER_VIEWS(const vec, const)
#undef SINTER_VIEWS

  template <class To, rounding_mode Mode = rounding_mode::automatic> constexpr vec<To, Count> convert() const noexcept {
    vec<To, Count> result;
    for (int i = 0; i < Count; ++i)
      result[i] = detail::convert<To, Mode>(value[i]);
    return result;
  }
  template <class Other> constexpr Other as() const noexcept { return bit_cast<Other>(*this); }

  // From and to a pointer of any kind, or an accessor. `offset` counts vectors of this type.
  template <class Pointer> constexpr void load(std::size_t offset, Pointer from) noexcept {
    for (std::size_t i = 0; i < Count; ++i)
      value[i] = from[offset * Count + i];
  }
  template <class Pointer> constexpr void store(std::size_t offset, Pointer to) const noexcept {
    for (std::size_t i = 0; i < Count; ++i)
      to[offset * Count + i] = value[i];
  }

private:
  template <class Argument> constexpr void append(int &next, const Argument &argument) noexcept {
    if constexpr (detail::argument_length<Type, Argument>::is_vec)
      for (int i = 0; i < detail::shape<Argument>::count; ++i)
        value[next++] = argument[i];
    else
      value[next++] = static_cast<Type>(argument);
  }

  alignas(room < 64 ? room : 64) Type value[stored] = {};
};

#undef SINTER_ELEMENTS
#undef SINTER_HALVES

template <class Type, class... Rest, detail::enable_if<(... && std::is_same_v<Type, Rest>)> = 0>
vec(Type, Rest...) -> vec<Type, 1 + sizeof...(Rest)>;

template <class Type, int Count> struct is_device_copyable<vec<Type, Count>> : is_device_copyable<Type> {};

// Unsigned integers of 8 bits, for which C++ has std::byte.
using byte = std::uint8_t;
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
SINTER_VEC_NAMES(byte, std::uint8_t)
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
