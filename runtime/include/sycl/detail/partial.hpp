// What some work-items of a reduction have combined so far, which may be nothing yet.
//
// Room for a type that is made from nothing is the type itself. Any other gets a union, so that no constructor runs
// before there is a value.
#ifndef SYCL_DETAIL_PARTIAL_HPP
#define SYCL_DETAIL_PARTIAL_HPP

#include "device_copyable.hpp"

namespace sycl {
namespace detail {

template <class T, bool = std::is_trivially_default_constructible_v<T>, bool = std::is_trivially_copyable_v<T>>
struct room {
  union {
    unsigned char none;
    T value;
  };
  room() noexcept : none(0) {}
  explicit room(const T &start) noexcept : value(start) {}
  // Device copyable types are copied as bytes, also those whose assignment is not trivial, such as std::pair.
  room(const room &other) noexcept { __builtin_memcpy(this, &other, sizeof(*this)); }
  room &operator=(const room &other) noexcept {
    __builtin_memcpy(this, &other, sizeof(*this));
    return *this;
  }
};
template <class T> struct room<T, false, true> {
  union {
    unsigned char none;
    T value;
  };
  room() noexcept : none(0) {}
  explicit room(const T &start) noexcept : value(start) {}
};
template <class T> struct room<T, true, true> {
  T value;
  room() = default;
  explicit room(const T &start) noexcept : value(start) {}
};

// Without an identity to start from, `present` tells whether there is a value.
template <class T, class Operation, bool Identity> struct partial : room<T> {
  using room<T>::value;

  partial() = default;
  explicit partial(const T &start) noexcept : room<T>(start) {}
  void add(const T &x, const Operation &combine) { value = static_cast<T>(combine(value, x)); }
  void merge(const partial &other, const Operation &combine) { add(other.value, combine); }
  bool any() const noexcept { return true; }
};
template <class T, class Operation> struct partial<T, Operation, false> : room<T> {
  using room<T>::value;
  bool present = false;

  void add(const T &x, const Operation &combine) {
    value = present ? static_cast<T>(combine(value, x)) : x;
    present = true;
  }
  void merge(const partial &other, const Operation &combine) {
    if (other.present)
      add(other.value, combine);
  }
  bool any() const noexcept { return present; }
};

} // namespace detail

template <class T, class Operation, bool Identity>
struct is_device_copyable<detail::partial<T, Operation, Identity>> : is_device_copyable<T> {};

} // namespace sycl

#endif
