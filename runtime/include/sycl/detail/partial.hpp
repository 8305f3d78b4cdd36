// The partial result of some work-items of a reduction, which may be empty.
//
// Storage for a default-constructible type is the type itself. Any other type is stored in a union,
// so that no constructor runs before there is a value.
#ifndef SYCL_DETAIL_PARTIAL_HPP
#define SYCL_DETAIL_PARTIAL_HPP

#include "device_copyable.hpp"

namespace sycl {
namespace detail {

template <class Type, bool = std::is_trivially_default_constructible_v<Type>, bool = std::is_trivially_copyable_v<Type>>
struct room {
  union {
    unsigned char none;
    Type value;
  };
  room() noexcept : none(0) {}
  explicit room(const Type &start) noexcept : value(start) {}
  // Device copyable types are copied as bytes, also those whose assignment is not trivial, such as
  // std::pair.
  room(const room &other) noexcept { __builtin_memcpy(this, &other, sizeof(*this)); }
  room &operator=(const room &other) noexcept {
    __builtin_memcpy(this, &other, sizeof(*this));
    return *this;
  }
};
template <class Type> struct room<Type, false, true> {
  union {
    unsigned char none;
    Type value;
  };
  room() noexcept : none(0) {}
  explicit room(const Type &start) noexcept : value(start) {}
};
template <class Type> struct room<Type, true, true> {
  Type value;
  room() = default;
  explicit room(const Type &start) noexcept : value(start) {}
};

// Without an identity as the initial value, `present` is true if there is a value.
template <class Type, class Operation, bool Identity> struct partial : room<Type> {
  using room<Type>::value;

  partial() = default;
  explicit partial(const Type &start) noexcept : room<Type>(start) {}
  void add(const Type &x, const Operation &combine) { value = static_cast<Type>(combine(value, x)); }
  void merge(const partial &other, const Operation &combine) { add(other.value, combine); }
  bool any() const noexcept { return true; }
};
template <class Type, class Operation> struct partial<Type, Operation, false> : room<Type> {
  using room<Type>::value;
  bool present = false;

  void add(const Type &x, const Operation &combine) {
    value = present ? static_cast<Type>(combine(value, x)) : x;
    present = true;
  }
  void merge(const partial &other, const Operation &combine) {
    if (other.present)
      add(other.value, combine);
  }
  bool any() const noexcept { return present; }
};

} // namespace detail

template <class Type, class Operation, bool Identity>
struct is_device_copyable<detail::partial<Type, Operation, Identity>> : is_device_copyable<Type> {};

} // namespace sycl

#endif
