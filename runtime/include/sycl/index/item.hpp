// item: the argument of a kernel over a range.
//
// It holds its index and the range as values; both are optimised away in a kernel that does not use
// them.
#ifndef SYCL_ITEM_HPP
#define SYCL_ITEM_HPP

#include "../detail/builtins.hpp"
#include "range.hpp"

namespace sycl {
namespace detail {

// Creates objects without a public constructor.
struct maker {
  template <class Type, class... Arguments> static constexpr Type make(const Arguments &...arguments) noexcept {
    return Type(arguments...);
  }
};

} // namespace detail

namespace detail {

// The offset of an item; nothing for one without.
template <int Dimensions, bool WithOffset> struct item_offset {
  constexpr item_offset(const id<Dimensions> &value) noexcept : offset(value) {}
  id<Dimensions> offset;
};
template <int Dimensions> struct item_offset<Dimensions, false> {
  constexpr item_offset(const id<Dimensions> &) noexcept {}
  static constexpr id<Dimensions> offset = {};
};

} // namespace detail

template <int Dimensions, bool WithOffset>
class item : detail::item_offset<Dimensions, WithOffset>, public detail::number<item<Dimensions, WithOffset>, Dimensions> {
public:
  static constexpr int dimensions = Dimensions;

  item() = delete;

  constexpr id<Dimensions> get_id() const noexcept { return index; }
  constexpr std::size_t get_id(int dimension) const noexcept { return index[dimension]; }
  constexpr std::size_t get(int dimension) const noexcept { return index[dimension]; }
  constexpr std::size_t operator[](int dimension) const noexcept { return index[dimension]; }
  constexpr range<Dimensions> get_range() const noexcept { return size; }
  constexpr std::size_t get_range(int dimension) const noexcept { return size[dimension]; }
  constexpr std::size_t get_linear_id() const noexcept {
    if constexpr (WithOffset)
      return detail::linear(index - this->offset, size);
    else
      return detail::linear(index, size);
  }

  template <bool With = WithOffset, detail::enable_if<With> = 0> constexpr id<Dimensions> get_offset() const noexcept {
    return this->offset;
  }
  // Converts from an item without offset, with a zero offset.
  template <bool With = WithOffset, detail::enable_if<!With> = 0>
  constexpr operator item<Dimensions, !With>() const noexcept {
    return detail::maker::make<item<Dimensions, !With>>(index, size);
  }

  friend constexpr bool operator==(const item &a, const item &b) noexcept {
    return a.index == b.index && a.size == b.size && a.offset == b.offset;
  }
  friend constexpr bool operator!=(const item &a, const item &b) noexcept { return !(a == b); }

private:
  friend detail::maker;
  constexpr item(const id<Dimensions> &item_index, const range<Dimensions> &item_range,
                 const id<Dimensions> &item_offset = {}) noexcept
      : detail::item_offset<Dimensions, WithOffset>(item_offset), index(item_index), size(item_range) {}

  id<Dimensions> index;
  range<Dimensions> size;
};

// An item is an id where the other operand is one.
#define SINTER_ITEM_OPERATOR(Result, op)                                                                             \
  template <int Dims, bool With> constexpr Result operator op(const item<Dims, With> &a, const id<Dims> &b) noexcept {\
    return a.get_id() op b;                                                                                          \
  }                                                                                                                  \
  template <int Dims, bool With> constexpr Result operator op(const id<Dims> &a, const item<Dims, With> &b) noexcept {\
    return a op b.get_id();                                                                                          \
  }
SINTER_ITEM_OPERATOR(id<Dims>, +)
SINTER_ITEM_OPERATOR(id<Dims>, -)
SINTER_ITEM_OPERATOR(id<Dims>, *)
SINTER_ITEM_OPERATOR(id<Dims>, /)
SINTER_ITEM_OPERATOR(id<Dims>, %)
SINTER_ITEM_OPERATOR(bool, ==)
SINTER_ITEM_OPERATOR(bool, !=)
#undef SINTER_ITEM_OPERATOR

} // namespace sycl

#endif
