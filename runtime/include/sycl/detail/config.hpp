// Compiler check, version macros and names that all headers use.
//
// Without sinter-cc there is exactly one error: the declarations still follow, so that no further
// messages about an unknown namespace appear.
#ifndef SYCL_DETAIL_CONFIG_HPP
#define SYCL_DETAIL_CONFIG_HPP

#ifndef __SINTER__
#error "<sycl/sycl.hpp> is Sinter's: compile this file with sinter-cc (it takes the options of clang++) instead of calling a compiler directly"
#endif

#if __cplusplus < 201703L
#error "<sycl/sycl.hpp> needs C++17 or newer: add -std=c++17"
#endif

#include "device_copyable.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_DEVICE_COPYABLE 1
// Of SYCL 1.2.1, and for compilers that make host and device code in one pass.
#ifndef CL_SYCL_LANGUAGE_VERSION
#define CL_SYCL_LANGUAGE_VERSION 121
#endif
#ifndef __SYCL_SINGLE_SOURCE__
#define __SYCL_SINGLE_SOURCE__ 1
#endif
#define SYCL_IMPLEMENTATION_SINTER 1

// A function that kernels of other translation units may call. The attribute has GNU syntax because
// it may stand anywhere among the declaration specifiers, also after `extern`. The other unit is
// linked with this one, or, with --sinter-late-functions, may be loaded at run time.
#if defined(__clang__)
#ifdef __SINTER_LATE_FUNCTIONS__
#define SYCL_EXTERNAL __attribute__((annotate("sinter_late_export")))
#else
#define SYCL_EXTERNAL __attribute__((annotate("sinter_export")))
#endif
#define SINTER_ANNOTATE(...) [[clang::annotate(__VA_ARGS__)]]
#define SINTER_ASSUME(condition) __builtin_assume(condition)
#else
#define SYCL_EXTERNAL
#define SINTER_ANNOTATE(...)
#define SINTER_ASSUME(condition) static_cast<void>(condition)
#endif

// Required sizes and aspects, which sinter-cc turns into annotations of the function. After the
// parameters of a lambda clang requires a string as the first argument of such an attribute.
#if defined(__has_cpp_attribute)
#if __has_cpp_attribute(sycl::reqd_work_group_size)
// The sign turns a constant of the function around the lambda into a value, which then need not be
// captured.
#define SINTER_SIZES_1(x) +x
#define SINTER_SIZES_2(x, y) +x, +y
#define SINTER_SIZES_3(x, y, z) +x, +y, +z
#define SINTER_CHOOSE_SIZES(x, y, z, chosen, ...) chosen
#define SINTER_SIZES(...)                                                                                            \
  SINTER_CHOOSE_SIZES(__VA_ARGS__, SINTER_SIZES_3, SINTER_SIZES_2, SINTER_SIZES_1, )(__VA_ARGS__)
#define reqd_work_group_size(...) reqd_work_group_size("sinter_required_group_size", SINTER_SIZES(__VA_ARGS__))
#define reqd_sub_group_size(...) reqd_sub_group_size("sinter_required_sub_group_size", SINTER_SIZES(__VA_ARGS__))
#define device_has(...) device_has("sinter_required_aspects", ::sycl::detail::aspect_bits(__VA_ARGS__))
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
class device_selector;
class event;
class exception;
class handler;
class platform;
class queue;

namespace ext::oneapi {
template <class Type> class weak_object;
} // namespace ext::oneapi

namespace detail {

struct weak_access;
template <class Other> struct owner_order;
// Orders an object before another one of its type, or a weak object (weak_object.hpp).
#define SINTER_OWNER_BEFORE                                                                                          \
  template <class Other> bool ext_oneapi_owner_before(const Other &other) const noexcept {                           \
    return detail::owner_order<Other>::before(*this, other);                                                         \
  }

template <class Type> struct identity { using type = Type; };
// Excludes a parameter from template argument deduction.
template <class Type> using no_deduction = typename identity<Type>::type;

// True for half and bfloat16, which are no floating-point types of C++.
template <class Type> inline constexpr bool is_short_float = false;

template <bool Condition> using enable_if = std::enable_if_t<Condition, int>;

} // namespace detail
} // namespace sycl

#endif
