// Compiler check, version macros and the few names that every part of the headers uses.
//
// Without sinter-cc there is one error and nothing else: the declarations still follow, so that a program does not
// drown its reader in messages about an unknown namespace.
#ifndef SYCL_DETAIL_CONFIG_HPP
#define SYCL_DETAIL_CONFIG_HPP

#ifndef __SINTER__
#error "<sycl/sycl.hpp> is Sinter's: compile this file with sinter-cc (it takes the options of clang++) instead of calling a compiler directly"
#endif

#if __cplusplus < 201703L
#error "<sycl/sycl.hpp> needs C++17 or newer: add -std=c++17"
#endif

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_IMPLEMENTATION_SINTER 1

// A function that kernels of other translation units may call. The attribute is the GNU spelling because it may stand
// anywhere among the declaration specifiers, also behind `extern`. The other unit is linked with this one, or, with
// --sinter-late-functions, perhaps loaded when the program runs.
#if defined(__clang__)
#ifdef __SINTER_LATE_FUNCTIONS__
#define SYCL_EXTERNAL __attribute__((annotate("sinter_late_export")))
#else
#define SYCL_EXTERNAL __attribute__((annotate("sinter_export")))
#endif
#define SINTER_ANNOTATE(name) [[clang::annotate(name)]]
#define SINTER_ASSUME(condition) __builtin_assume(condition)
#else
#define SYCL_EXTERNAL
#define SINTER_ANNOTATE(name)
#define SINTER_ASSUME(condition) static_cast<void>(condition)
#endif

// Required sizes, which sinter-cc makes annotations of the function. Clang wants a string first where such an attribute
// stands behind the parameters of a lambda.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(sycl::reqd_work_group_size)
#define reqd_work_group_size(...) reqd_work_group_size("sinter_required_group_size", __VA_ARGS__)
#define reqd_sub_group_size(...) reqd_sub_group_size("sinter_required_sub_group_size", __VA_ARGS__)
#endif
#endif

namespace sycl {

template <int Dimensions> class range;
template <int Dimensions> class id;
template <int Dimensions> class nd_range;
template <int Dimensions = 1, bool WithOffset = true> class item;
template <int Dimensions> class nd_item;
template <int Dimensions> class group;
class context;
class device;
class event;
class exception;
class handler;
class platform;
class queue;

// Types that may be copied to a device byte by byte. Specialise it for a type whose copy constructor is not trivial
// but means the same.
template <class Type> struct is_device_copyable : std::bool_constant<std::is_trivially_copyable_v<Type>> {};
template <class Type> struct is_device_copyable<const Type> : is_device_copyable<Type> {};
template <class Type> inline constexpr bool is_device_copyable_v = is_device_copyable<Type>::value;

namespace detail {

template <class Type> struct identity { using type = Type; };
// Keeps a parameter out of template argument deduction.
template <class Type> using no_deduction = typename identity<Type>::type;

template <bool Condition> using enable_if = std::enable_if_t<Condition, int>;

} // namespace detail
} // namespace sycl

#endif
