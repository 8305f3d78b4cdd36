// Tags and properties of accessors, and what an access mode does.
//
// The declaration of `accessor` is here, because command groups and local accessors name it.
#ifndef SYCL_ACCESS_HPP
#define SYCL_ACCESS_HPP

#include "../../sinter/sinter.h"
#include "../runtime/properties.hpp"
#include "memory.hpp"

namespace sycl {

template <access_mode> struct mode_tag_t { explicit mode_tag_t() = default; };
template <access_mode, target> struct mode_target_tag_t { explicit mode_target_tag_t() = default; };

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task> read_write_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read, target::constant_buffer> read_constant{};

inline constexpr property::no_init no_init{};
inline constexpr property::no_init noinit{};

template <class Type, int Dimensions = 1,
          access_mode Mode = std::is_const_v<Type> ? access_mode::read : access_mode::read_write,
          target Target = target::device, access::placeholder Placeholder = access::placeholder::false_t>
class accessor;
template <class Type, int Dimensions = 1,
          access_mode Mode = std::is_const_v<Type> ? access_mode::read : access_mode::read_write>
class host_accessor;
template <class Type, int Dimensions, class Allocator> class buffer;

namespace detail {

// Mode and target of a constructor's argument: those of a tag, or the defaults.
template <class Argument> struct tag_of {
  static constexpr bool is_tag = false;
  static constexpr int mode = -1, place = -1;
};
template <access_mode Mode> struct tag_of<mode_tag_t<Mode>> {
  static constexpr bool is_tag = true;
  static constexpr int mode = static_cast<int>(Mode), place = -1;
};
template <access_mode Mode, target Target> struct tag_of<mode_target_tag_t<Mode, Target>> {
  static constexpr bool is_tag = true;
  static constexpr int mode = static_cast<int>(Mode), place = static_cast<int>(Target);
};

template <class Type> using bare = std::remove_cv_t<std::remove_reference_t<Type>>;

constexpr int first_given(int otherwise) noexcept { return otherwise; }
template <class... Rest> constexpr int first_given(int otherwise, int value, Rest... rest) noexcept {
  return value >= 0 ? value : first_given(otherwise, rest...);
}

template <class Type, class... Arguments>
inline constexpr access_mode deduced_mode = static_cast<access_mode>(
    first_given(static_cast<int>(std::is_const_v<Type> ? access_mode::read : access_mode::read_write),
                tag_of<bare<Arguments>>::mode...));
template <class... Arguments>
inline constexpr target deduced_target =
    static_cast<target>(first_given(static_cast<int>(target::device), tag_of<bare<Arguments>>::place...));

// Buffers of const elements have accessors of const elements; other buffers have both.
template <class Element, class Type>
using if_element = enable_if<std::is_same_v<Element, Type> || std::is_same_v<const Element, Type>>;

template <class Argument> using if_tag = enable_if<tag_of<Argument>::is_tag>;

// Bits of sinter_access. A write keeps the elements that the command does not write, unless their
// former values are given up.
constexpr std::uint32_t access_bits(access_mode mode, bool gives_up) noexcept {
  switch (mode) {
  case access_mode::read: return SINTER_ACCESS_READ;
  case access_mode::discard_write:
  case access_mode::discard_read_write: return SINTER_ACCESS_WRITE;
  default: return gives_up ? SINTER_ACCESS_WRITE : SINTER_ACCESS_READ | SINTER_ACCESS_WRITE;
  }
}

} // namespace detail
} // namespace sycl

#endif
