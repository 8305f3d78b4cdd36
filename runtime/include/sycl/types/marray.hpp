// marray: an array of any number of elements of any type, with element-wise operators.
//
// Its layout is that of an array. Comparisons give an marray of bool.
#ifndef SYCL_MARRAY_HPP
#define SYCL_MARRAY_HPP

#include "../detail/element_operators.hpp"
#include "vec.hpp"

namespace sycl {
namespace detail {

// Elements that an argument of marray's constructor has: those of an marray of the same type, or
// one.
template <class Type, class Argument> struct marray_length {
  static constexpr bool is_marray = false;
  static constexpr std::size_t value = 1;
};
template <class Type, std::size_t Count> struct marray_length<Type, marray<Type, Count>> {
  static constexpr bool is_marray = true;
  static constexpr std::size_t value = Count;
};

template <class Type, std::size_t Count, class... Argument>
inline constexpr bool are_marray_arguments =
    (... && (marray_length<Type, Argument>::is_marray || std::is_convertible_v<const Argument &, Type>)) &&
    (... + marray_length<Type, Argument>::value) == Count;

} // namespace detail

template <class Type, std::size_t Count> class marray : public detail::element_wise::operators<marray<Type, Count>> {
  static_assert(Count > 0, "an marray has at least one element");

public:
  using value_type = Type;
  using reference = Type &;
  using const_reference = const Type &;
  using iterator = Type *;
  using const_iterator = const Type *;

  marray() = default;
  explicit constexpr marray(const Type &all) {
    for (std::size_t i = 0; i < Count; ++i)
      elements[i] = all;
  }
  // Scalars and arrays in any combination with the right number of elements.
  template <class First, class Second, class... Rest,
            detail::enable_if<detail::are_marray_arguments<Type, Count, First, Second, Rest...>> = 0>
  constexpr marray(const First &first, const Second &second, const Rest &...rest) {
    std::size_t next = 0;
    append(next, first);
    append(next, second);
    (append(next, rest), ...);
  }

  constexpr marray &operator=(const Type &all) { return *this = marray(all); }

  constexpr operator detail::single<Type, Count>() const { return elements[0]; }

  static constexpr std::size_t size() noexcept { return Count; }

  constexpr reference operator[](std::size_t index) { return elements[index]; }
  constexpr const_reference operator[](std::size_t index) const { return elements[index]; }

  constexpr iterator begin() { return elements; }
  constexpr const_iterator begin() const { return elements; }
  constexpr iterator end() { return elements + Count; }
  constexpr const_iterator end() const { return elements + Count; }

private:
  template <class Argument> constexpr void append(std::size_t &next, const Argument &argument) {
    if constexpr (detail::marray_length<Type, Argument>::is_marray)
      for (const Type &element : argument)
        elements[next++] = element;
    else
      elements[next++] = static_cast<Type>(argument);
  }

  Type elements[Count] = {};
};

template <class Type, class... Rest, detail::enable_if<(... && std::is_same_v<Type, Rest>)> = 0>
marray(Type, Rest...) -> marray<Type, 1 + sizeof...(Rest)>;

template <class Type, std::size_t Count>
struct is_device_copyable<marray<Type, Count>> : is_device_copyable<Type> {};

#define SINTER_MARRAY_NAMES(name, type)                                                                              \
  using m##name##2 = marray<type, 2>;                                                                                \
  using m##name##3 = marray<type, 3>;                                                                                \
  using m##name##4 = marray<type, 4>;                                                                                \
  using m##name##8 = marray<type, 8>;                                                                                \
  using m##name##16 = marray<type, 16>;
SINTER_MARRAY_NAMES(bool, bool)
SINTER_MARRAY_NAMES(char, std::int8_t)
SINTER_MARRAY_NAMES(schar, std::int8_t)
SINTER_MARRAY_NAMES(uchar, std::uint8_t)
SINTER_MARRAY_NAMES(short, std::int16_t)
SINTER_MARRAY_NAMES(ushort, std::uint16_t)
SINTER_MARRAY_NAMES(int, std::int32_t)
SINTER_MARRAY_NAMES(uint, std::uint32_t)
SINTER_MARRAY_NAMES(long, std::int64_t)
SINTER_MARRAY_NAMES(ulong, std::uint64_t)
SINTER_MARRAY_NAMES(longlong, std::int64_t)
SINTER_MARRAY_NAMES(ulonglong, std::uint64_t)
SINTER_MARRAY_NAMES(half, half)
SINTER_MARRAY_NAMES(float, float)
SINTER_MARRAY_NAMES(double, double)
#undef SINTER_MARRAY_NAMES

} // namespace sycl

#endif
