// range and id: the size of an index space and a point in it.
//
// Both hold one number per dimension; dimension 0 varies slowest. The operators are templates over
// the class, so that an integer operand is never converted to a range or id first: `i < n` with an
// id<1> and an int stays unambiguous.
#ifndef SYCL_RANGE_HPP
#define SYCL_RANGE_HPP

#include "../detail/config.hpp"

namespace sycl {
namespace detail {

// A base class, because built-in operators and `int` parameters do not use conversion function
// templates: only one-dimensional indices are numbers.
template <class Index, int Dimensions> struct number {};
template <class Index> struct number<Index, 1> {
  constexpr operator std::size_t() const noexcept { return static_cast<const Index &>(*this).get(0); }
};

} // namespace detail

template <int Dimensions = 1> class range {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "a range has one to three dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr range() noexcept = default;
  template <int Dims = Dimensions, detail::enable_if<Dims == 1> = 0>
  constexpr range(std::size_t size0) noexcept : value{size0} {}
  template <int Dims = Dimensions, detail::enable_if<Dims == 2> = 0>
  constexpr range(std::size_t size0, std::size_t size1) noexcept : value{size0, size1} {}
  template <int Dims = Dimensions, detail::enable_if<Dims == 3> = 0>
  constexpr range(std::size_t size0, std::size_t size1, std::size_t size2) noexcept : value{size0, size1, size2} {}

  constexpr std::size_t get(int dimension) const noexcept { return value[dimension]; }
  constexpr std::size_t &operator[](int dimension) noexcept { return value[dimension]; }
  constexpr const std::size_t &operator[](int dimension) const noexcept { return value[dimension]; }
  constexpr std::size_t size() const noexcept {
    std::size_t product = 1;
    for (int d = 0; d < Dimensions; ++d)
      product *= value[d];
    return product;
  }

private:
  std::size_t value[Dimensions] = {};
};

range(std::size_t) -> range<1>;
range(std::size_t, std::size_t) -> range<2>;
range(std::size_t, std::size_t, std::size_t) -> range<3>;

template <int Dimensions = 1> class id : public detail::number<id<Dimensions>, Dimensions> {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "an id has one to three dimensions");

public:
  static constexpr int dimensions = Dimensions;

  constexpr id() noexcept = default;
  template <int Dims = Dimensions, detail::enable_if<Dims == 1> = 0>
  constexpr id(std::size_t index0) noexcept : value{index0} {}
  template <int Dims = Dimensions, detail::enable_if<Dims == 2> = 0>
  constexpr id(std::size_t index0, std::size_t index1) noexcept : value{index0, index1} {}
  template <int Dims = Dimensions, detail::enable_if<Dims == 3> = 0>
  constexpr id(std::size_t index0, std::size_t index1, std::size_t index2) noexcept : value{index0, index1, index2} {}
  constexpr id(const range<Dimensions> &size) noexcept {
    for (int d = 0; d < Dimensions; ++d)
      value[d] = size[d];
  }
  template <bool WithOffset> constexpr id(const item<Dimensions, WithOffset> &item) noexcept : id(item.get_id()) {}

  constexpr std::size_t get(int dimension) const noexcept { return value[dimension]; }
  constexpr std::size_t &operator[](int dimension) noexcept { return value[dimension]; }
  constexpr const std::size_t &operator[](int dimension) const noexcept { return value[dimension]; }

private:
  std::size_t value[Dimensions] = {};
};

id(std::size_t) -> id<1>;
id(std::size_t, std::size_t) -> id<2>;
id(std::size_t, std::size_t, std::size_t) -> id<3>;

#define SINTER_INTEGER(type) detail::enable_if<std::is_integral_v<type>> = 0

// a op b, element by element; one side may be an integer.
#define SINTER_INDEX_OPERATOR(index, op)                                                                             \
  template <int Dims> constexpr index<Dims> operator op(const index<Dims> &a, const index<Dims> &b) noexcept {       \
    index<Dims> result;                                                                                              \
    for (int d = 0; d < Dims; ++d)                                                                                   \
      result[d] = a[d] op b[d];                                                                                      \
    return result;                                                                                                   \
  }                                                                                                                  \
  template <int Dims, class Type, SINTER_INTEGER(Type)>                                                              \
  constexpr index<Dims> operator op(const index<Dims> &a, Type b) noexcept {                                         \
    index<Dims> result;                                                                                              \
    for (int d = 0; d < Dims; ++d)                                                                                   \
      result[d] = a[d] op static_cast<std::size_t>(b);                                                               \
    return result;                                                                                                   \
  }                                                                                                                  \
  template <int Dims, class Type, SINTER_INTEGER(Type)>                                                              \
  constexpr index<Dims> operator op(Type a, const index<Dims> &b) noexcept {                                         \
    index<Dims> result;                                                                                              \
    for (int d = 0; d < Dims; ++d)                                                                                   \
      result[d] = static_cast<std::size_t>(a) op b[d];                                                               \
    return result;                                                                                                   \
  }

#define SINTER_INDEX_ASSIGNMENT(index, op)                                                                           \
  template <int Dims>                                                                                                \
  constexpr index<Dims> &operator op##=(index<Dims> &a, const detail::no_deduction<index<Dims>> &b) noexcept {       \
    return a = a op b;                                                                                               \
  }                                                                                                                  \
  template <int Dims, class Type, SINTER_INTEGER(Type)>                                                              \
  constexpr index<Dims> &operator op##=(index<Dims> &a, Type b) noexcept {                                           \
    return a = a op b;                                                                                               \
  }

#define SINTER_INDEX_ARITHMETIC(index, op) SINTER_INDEX_OPERATOR(index, op) SINTER_INDEX_ASSIGNMENT(index, op)

#define SINTER_INDEX_OPERATORS(index)                                                                                \
  SINTER_INDEX_ARITHMETIC(index, +)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, -)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, *)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, /)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, %)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, <<)                                                                                 \
  SINTER_INDEX_ARITHMETIC(index, >>)                                                                                 \
  SINTER_INDEX_ARITHMETIC(index, &)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, |)                                                                                  \
  SINTER_INDEX_ARITHMETIC(index, ^)                                                                                  \
  SINTER_INDEX_OPERATOR(index, &&)                                                                                   \
  SINTER_INDEX_OPERATOR(index, ||)                                                                                   \
  SINTER_INDEX_OPERATOR(index, <)                                                                                    \
  SINTER_INDEX_OPERATOR(index, >)                                                                                    \
  SINTER_INDEX_OPERATOR(index, <=)                                                                                   \
  SINTER_INDEX_OPERATOR(index, >=)                                                                                   \
  template <int Dims> constexpr bool operator==(const index<Dims> &a, const index<Dims> &b) noexcept {               \
    for (int d = 0; d < Dims; ++d)                                                                                   \
      if (a[d] != b[d])                                                                                              \
        return false;                                                                                                \
    return true;                                                                                                     \
  }                                                                                                                  \
  template <int Dims> constexpr bool operator!=(const index<Dims> &a, const index<Dims> &b) noexcept {               \
    return !(a == b);                                                                                                \
  }                                                                                                                  \
  template <int Dims> constexpr index<Dims> operator+(const index<Dims> &a) noexcept { return a; }                   \
  template <int Dims> constexpr index<Dims> operator-(const index<Dims> &a) noexcept { return std::size_t(0) - a; }  \
  template <int Dims> constexpr index<Dims> &operator++(index<Dims> &a) noexcept { return a += 1; }                  \
  template <int Dims> constexpr index<Dims> &operator--(index<Dims> &a) noexcept { return a -= 1; }                  \
  template <int Dims> constexpr index<Dims> operator++(index<Dims> &a, int) noexcept {                               \
    const index<Dims> before = a;                                                                                    \
    a += 1;                                                                                                          \
    return before;                                                                                                   \
  }                                                                                                                  \
  template <int Dims> constexpr index<Dims> operator--(index<Dims> &a, int) noexcept {                               \
    const index<Dims> before = a;                                                                                    \
    a -= 1;                                                                                                          \
    return before;                                                                                                   \
  }

SINTER_INDEX_OPERATORS(range)
SINTER_INDEX_OPERATORS(id)

// A range is an id where the other operand is one.
#define SINTER_MIXED_OPERATOR(Result, op)                                                                            \
  template <int Dims> constexpr Result operator op(const id<Dims> &a, const range<Dims> &b) noexcept {               \
    return a op id<Dims>(b);                                                                                         \
  }                                                                                                                  \
  template <int Dims> constexpr Result operator op(const range<Dims> &a, const id<Dims> &b) noexcept {               \
    return id<Dims>(a) op b;                                                                                         \
  }
SINTER_MIXED_OPERATOR(id<Dims>, +)
SINTER_MIXED_OPERATOR(id<Dims>, -)
SINTER_MIXED_OPERATOR(id<Dims>, *)
SINTER_MIXED_OPERATOR(id<Dims>, /)
SINTER_MIXED_OPERATOR(id<Dims>, %)
SINTER_MIXED_OPERATOR(id<Dims>, <)
SINTER_MIXED_OPERATOR(id<Dims>, >)
SINTER_MIXED_OPERATOR(id<Dims>, <=)
SINTER_MIXED_OPERATOR(id<Dims>, >=)
SINTER_MIXED_OPERATOR(bool, ==)
SINTER_MIXED_OPERATOR(bool, !=)
#undef SINTER_MIXED_OPERATOR

#undef SINTER_INDEX_OPERATORS
#undef SINTER_INDEX_ARITHMETIC
#undef SINTER_INDEX_ASSIGNMENT
#undef SINTER_INDEX_OPERATOR
#undef SINTER_INTEGER

template <int Dimensions = 1> class nd_range {
public:
  static constexpr int dimensions = Dimensions;

  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size) noexcept
      : global(global_size), local(local_size) {}
  // Of SYCL 1.2.1: the offset is added to the global index of each work-item.
  constexpr nd_range(range<Dimensions> global_size, range<Dimensions> local_size, id<Dimensions> start) noexcept
      : global(global_size), local(local_size), offset(start) {}

  constexpr range<Dimensions> get_global_range() const noexcept { return global; }
  constexpr range<Dimensions> get_local_range() const noexcept { return local; }
  constexpr range<Dimensions> get_group_range() const noexcept { return global / local; }
  constexpr id<Dimensions> get_offset() const noexcept { return offset; }
  friend constexpr bool operator==(const nd_range &a, const nd_range &b) noexcept {
    return a.global == b.global && a.local == b.local && a.offset == b.offset;
  }
  friend constexpr bool operator!=(const nd_range &a, const nd_range &b) noexcept { return !(a == b); }

private:
  range<Dimensions> global, local;
  id<Dimensions> offset;
};

namespace detail {

// Row-major linear index of `index` in `size`.
template <int Dimensions>
constexpr std::size_t linear(const id<Dimensions> &index, const range<Dimensions> &size) noexcept {
  std::size_t position = index[0];
  for (int d = 1; d < Dimensions; ++d)
    position = position * size[d] + index[d];
  return position;
}

} // namespace detail
} // namespace sycl

#endif
