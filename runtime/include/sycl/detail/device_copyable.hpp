// Types that may be copied to a device byte by byte.
//
// The C++ library's wrapper types follow their members: their assignment need not be trivial.
#ifndef SYCL_DETAIL_DEVICE_COPYABLE_HPP
#define SYCL_DETAIL_DEVICE_COPYABLE_HPP

#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace sycl {

// To be specialised for a type whose copy constructor is not trivial but copies the bytes.
template <class Type> struct is_device_copyable : std::bool_constant<std::is_trivially_copyable_v<Type>> {};
template <class Type> struct is_device_copyable<const Type> : is_device_copyable<Type> {};
template <class Type, std::size_t Length>
struct is_device_copyable<std::array<Type, Length>> : is_device_copyable<Type> {};
template <class Type> struct is_device_copyable<std::optional<Type>> : is_device_copyable<Type> {};
template <class... Types>
struct is_device_copyable<std::tuple<Types...>> : std::bool_constant<(is_device_copyable<Types>::value && ...)> {};
template <class... Types>
struct is_device_copyable<std::variant<Types...>> : std::bool_constant<(is_device_copyable<Types>::value && ...)> {};
template <class First, class Second>
struct is_device_copyable<std::pair<First, Second>>
    : std::bool_constant<is_device_copyable<First>::value && is_device_copyable<Second>::value> {};
template <class Type> inline constexpr bool is_device_copyable_v = is_device_copyable<Type>::value;

} // namespace sycl

#endif
