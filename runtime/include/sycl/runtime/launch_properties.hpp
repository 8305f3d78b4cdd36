// Compile-time properties of launches: sycl_ext_oneapi_properties and
// sycl_ext_oneapi_kernel_properties.
//
// A list of properties is a type. Sizes that a kernel requires become attributes of the kernel
// function, which is wrapped for it; hints have no effect.
#ifndef SYCL_LAUNCH_PROPERTIES_HPP
#define SYCL_LAUNCH_PROPERTIES_HPP

#include "../detail/config.hpp"

#include "exception.hpp"
#include "info.hpp"

#define SYCL_EXT_ONEAPI_PROPERTIES 1
#define SYCL_EXT_ONEAPI_KERNEL_PROPERTIES 1

namespace sycl::ext::oneapi::experimental {

// A property with its values as types.
template <class Key, class... Values> struct property_value {
  using key_t = Key;
};
template <class Key, class Value> struct property_value<Key, Value> {
  using key_t = Key;
  using value_t = Value;
  static constexpr auto value = Value::value;
};
template <class Key, class... Values>
constexpr bool operator==(const property_value<Key, Values...> &, const property_value<Key, Values...> &) noexcept {
  return true;
}
template <class Key, class... Values>
constexpr bool operator!=(const property_value<Key, Values...> &, const property_value<Key, Values...> &) noexcept {
  return false;
}

#define SINTER_KEY(name, parameter)                                                                                  \
  struct name##_key {                                                                                                \
    template <parameter... Values>                                                                                   \
    using value_t = property_value<name##_key, std::integral_constant<parameter, Values>...>;                        \
  };                                                                                                                 \
  template <parameter... Values> inline constexpr name##_key::value_t<Values...> name;
SINTER_KEY(work_group_size, std::size_t)
SINTER_KEY(work_group_size_hint, std::size_t)
SINTER_KEY(max_work_group_size, std::size_t)
SINTER_KEY(max_linear_work_group_size, std::size_t)
SINTER_KEY(sub_group_size, std::uint32_t)
SINTER_KEY(device_has, aspect)
SINTER_KEY(nd_range_kernel, int)
#undef SINTER_KEY
struct single_task_kernel_key { using value_t = property_value<single_task_kernel_key>; };
inline constexpr single_task_kernel_key::value_t single_task_kernel;

// The work-items of the launch wait for one another (root_group.hpp).
struct use_root_sync_key { using value_t = property_value<use_root_sync_key>; };
inline constexpr use_root_sync_key::value_t use_root_sync;

template <class Property, class = void> struct is_property_value : std::false_type {};
template <class Property>
struct is_property_value<Property, std::void_t<typename Property::key_t>> : std::true_type {};
template <class Property> inline constexpr bool is_property_value_v = is_property_value<Property>::value;

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

template <class Key, class... Properties> struct find_property { using type = void; };
template <class Key, class First, class... Rest>
struct find_property<Key, First, Rest...>
    : std::conditional<std::is_same_v<typename First::key_t, Key>, First, typename find_property<Key, Rest...>::type> {
};

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class... Properties> class properties {
public:
  constexpr properties() noexcept = default;
  template <class... Given, detail::enable_if<sizeof...(Given) != 0 && (is_property_value_v<Given> && ...)> = 0>
  constexpr properties(Given...) noexcept {}

  template <class Key> static constexpr bool has_property() noexcept {
    return !std::is_void_v<typename detail::find_property<Key, Properties...>::type>;
  }
  template <class Key> static constexpr auto get_property() noexcept {
    static_assert(has_property<Key>(), "the list does not have the property");
    return typename detail::find_property<Key, Properties...>::type{};
  }
};
template <class... Given> properties(Given...) -> properties<Given...>;

using empty_properties_t = properties<>;
// A kernel function's member `get(properties_tag)` returns its properties.
struct properties_tag {};

template <class Type> struct is_property_list : std::false_type {};
template <class... Properties> struct is_property_list<properties<Properties...>> : std::true_type {};
template <class Type> inline constexpr bool is_property_list_v = is_property_list<Type>::value;

// In device_global.hpp.
template <class Type, class List = empty_properties_t> class device_global;

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

// A kernel function with required sizes.
template <class Callable, std::size_t... Sizes> struct with_group_size;
template <class Callable, std::size_t First> struct with_group_size<Callable, First> {
  Callable function;
  template <class... Arguments, enable_if<std::is_invocable_v<const Callable &, Arguments &...>> = 0>
  [[sycl::reqd_work_group_size(First)]] void operator()(Arguments... arguments) const {
    function(arguments...);
  }
};
template <class Callable, std::size_t First, std::size_t Second> struct with_group_size<Callable, First, Second> {
  Callable function;
  template <class... Arguments, enable_if<std::is_invocable_v<const Callable &, Arguments &...>> = 0>
  [[sycl::reqd_work_group_size(First, Second)]] void operator()(Arguments... arguments) const {
    function(arguments...);
  }
};
template <class Callable, std::size_t First, std::size_t Second, std::size_t Third>
struct with_group_size<Callable, First, Second, Third> {
  Callable function;
  template <class... Arguments, enable_if<std::is_invocable_v<const Callable &, Arguments &...>> = 0>
  [[sycl::reqd_work_group_size(First, Second, Third)]] void operator()(Arguments... arguments) const {
    function(arguments...);
  }
};
template <class Callable, std::uint32_t Size> struct with_sub_group_size {
  Callable function;
  template <class... Arguments, enable_if<std::is_invocable_v<const Callable &, Arguments &...>> = 0>
  [[sycl::reqd_sub_group_size(Size)]] void operator()(Arguments... arguments) const {
    function(arguments...);
  }
};

template <class Callable, class Key, std::size_t... Sizes>
auto require_group_size(const Callable &function,
                        ext::oneapi::experimental::property_value<Key, std::integral_constant<std::size_t, Sizes>...>) {
  return with_group_size<Callable, Sizes...>{function};
}

// The kernel function with what a list of properties requires.
template <class List, class Callable> auto require_sizes(const Callable &function) {
  namespace oneapi = ext::oneapi::experimental;
  if constexpr (List::template has_property<oneapi::work_group_size_key>()) {
    constexpr auto size = List::template get_property<oneapi::work_group_size_key>();
    if constexpr (List::template has_property<oneapi::sub_group_size_key>()) {
      constexpr auto sub = List::template get_property<oneapi::sub_group_size_key>();
      return require_group_size(with_sub_group_size<Callable, sub.value>{function}, size);
    } else {
      return require_group_size(function, size);
    }
  } else if constexpr (List::template has_property<oneapi::sub_group_size_key>()) {
    constexpr auto sub = List::template get_property<oneapi::sub_group_size_key>();
    return with_sub_group_size<Callable, sub.value>{function};
  } else {
    return function;
  }
}

[[noreturn]] __attribute__((noinline, cold)) inline void too_many_groups() {
  raise(errc::nd_range, "a launch with use_root_sync has at most one work-group: "
                        "info::kernel_queue_specific::max_num_work_groups is 1");
}
// Refuses a launch that is too large for a barrier of the root group.
template <class List, class Size> void check_root_sync(const Size &size) {
  if constexpr (List::template has_property<ext::oneapi::experimental::use_root_sync_key>())
    if (size.get_global_range() != size.get_local_range())
      too_many_groups();
}

// The properties that a kernel function itself has.
template <class Callable, class = void> struct properties_of {
  using list = ext::oneapi::experimental::empty_properties_t;
  static constexpr bool has_any = false;
};
template <class Callable>
struct properties_of<
    Callable, std::void_t<decltype(std::declval<const Callable &>().get(ext::oneapi::experimental::properties_tag()))>> {
  using list = std::decay_t<decltype(std::declval<const Callable &>().get(ext::oneapi::experimental::properties_tag()))>;
  static constexpr bool has_any = true;
};

template <class List> inline constexpr bool is_launch_list = ext::oneapi::experimental::is_property_list_v<List>;

} // namespace sycl::detail

#endif
