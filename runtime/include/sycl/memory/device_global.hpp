// device_global (sycl_ext_oneapi_device_global): a variable that each device has for itself.
//
// The object of the program holds the initial value. Stage 1 recognises it by the layout that it
// refers to first; device code that names it gets the address of the device's copy as an argument,
// and the first use on a device makes that copy (docs/abi.md).
#ifndef SYCL_DEVICE_GLOBAL_HPP
#define SYCL_DEVICE_GLOBAL_HPP

#include "../../sinter/sinter.h"
#include "../detail/builtins.hpp"
#include "../runtime/launch_properties.hpp"
#include "multi_ptr.hpp"

#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL 1

namespace sycl::ext::oneapi::experimental {

enum class host_access_enum : std::uint16_t { read, write, read_write, none };
enum class init_mode_enum : std::uint16_t { reprogram, reset };

// A copy for each device is one for each image.
struct device_image_scope_key { using value_t = property_value<device_image_scope_key>; };
inline constexpr device_image_scope_key::value_t device_image_scope;
struct device_constant_key { using value_t = property_value<device_constant_key>; };
inline constexpr device_constant_key::value_t device_constant;

struct host_access_key {
  template <host_access_enum Access>
  using value_t = property_value<host_access_key, std::integral_constant<host_access_enum, Access>>;
};
template <host_access_enum Access> inline constexpr host_access_key::value_t<Access> host_access;
inline constexpr host_access_key::value_t<host_access_enum::read> host_access_read;
inline constexpr host_access_key::value_t<host_access_enum::write> host_access_write;
inline constexpr host_access_key::value_t<host_access_enum::read_write> host_access_read_write;
inline constexpr host_access_key::value_t<host_access_enum::none> host_access_none;

struct init_mode_key {
  template <init_mode_enum Mode>
  using value_t = property_value<init_mode_key, std::integral_constant<init_mode_enum, Mode>>;
};
template <init_mode_enum Mode> inline constexpr init_mode_key::value_t<Mode> init_mode;
inline constexpr init_mode_key::value_t<init_mode_enum::reprogram> init_mode_reprogram;
inline constexpr init_mode_key::value_t<init_mode_enum::reset> init_mode_reset;

struct implement_in_csr_key {
  template <bool Enable> using value_t = property_value<implement_in_csr_key, std::bool_constant<Enable>>;
};
template <bool Enable> inline constexpr implement_in_csr_key::value_t<Enable> implement_in_csr;
inline constexpr implement_in_csr_key::value_t<true> implement_in_csr_on;
inline constexpr implement_in_csr_key::value_t<false> implement_in_csr_off;

} // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

// The object of the program. Its first member is what stage 1 looks for.
template <class Type> struct device_global_object;
template <class Type>
inline constexpr sinter_device_global_layout sinter_device_global_layout_of = {sizeof(device_global_object<Type>),
                                                                               alignof(device_global_object<Type>)};
template <class Type> struct device_global_object {
  const sinter_device_global_layout *layout = &sinter_device_global_layout_of<Type>;
  Type value;

  constexpr device_global_object() : value() {}
  template <class... Arguments, enable_if<sizeof...(Arguments) != 0 && std::is_constructible_v<Type, Arguments...>> = 0>
  constexpr explicit device_global_object(Arguments &&...arguments)
      : value(static_cast<Arguments &&>(arguments)...) {}
  template <class... Arguments,
            enable_if<sizeof...(Arguments) != 0 && !std::is_constructible_v<Type, Arguments...>> = 0>
  constexpr explicit device_global_object(Arguments &&...arguments)
      : value{static_cast<Arguments &&>(arguments)...} {}
};

// The host access that a list of properties grants.
template <class List> constexpr ext::oneapi::experimental::host_access_enum granted_access() {
  namespace oneapi = ext::oneapi::experimental;
  if constexpr (List::template has_property<oneapi::host_access_key>())
    return decltype(List::template get_property<oneapi::host_access_key>())::value;
  else
    return oneapi::host_access_enum::read_write;
}

[[noreturn]] __attribute__((noinline, cold)) inline void beyond_device_global(std::size_t bytes, std::size_t offset,
                                                                             std::size_t size) {
  raise(errc::invalid, "a copy of " + std::to_string(bytes) + " bytes at offset " + std::to_string(offset) +
                           " is not inside a device_global of " + std::to_string(size) + " bytes");
}

inline void refuse_on_host() {
  if (__acpp_sscp_is_host)
    raise(errc::feature_not_supported, "host code reads and writes a device_global with the copies of a queue; its "
                                       "members are for device code");
}

} // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

template <class Type, class List> class device_global {
  static_assert(is_property_list_v<List>, "the second argument of device_global is a list of properties");
  static_assert(std::is_trivially_destructible_v<Type>, "the type of a device_global has a trivial destructor");

public:
  using element_type = std::remove_extent_t<Type>;

  constexpr device_global() = default;
#if defined(__cpp_consteval)
  template <class... Arguments, sycl::detail::enable_if<sizeof...(Arguments) != 0> = 0>
  consteval explicit device_global(Arguments &&...arguments) : object(static_cast<Arguments &&>(arguments)...) {}
#else
  template <class... Arguments, sycl::detail::enable_if<sizeof...(Arguments) != 0> = 0>
  constexpr explicit device_global(Arguments &&...arguments) : object(static_cast<Arguments &&>(arguments)...) {}
#endif
  device_global(const device_global &) = delete;
  device_global &operator=(const device_global &) = delete;

  template <access::decorated Decorated = access::decorated::legacy>
  multi_ptr<Type, access::address_space::global_space, Decorated> get_multi_ptr() {
    return multi_ptr<Type, access::address_space::global_space, Decorated>(&get());
  }
  template <access::decorated Decorated = access::decorated::legacy>
  multi_ptr<const Type, access::address_space::global_space, Decorated> get_multi_ptr() const {
    return multi_ptr<const Type, access::address_space::global_space, Decorated>(&get());
  }

  Type &get() {
    sycl::detail::refuse_on_host();
    return object.value;
  }
  const Type &get() const {
    sycl::detail::refuse_on_host();
    return object.value;
  }
  operator Type &() { return get(); }
  operator const Type &() const { return get(); }

  template <class Value, sycl::detail::enable_if<std::is_assignable_v<Type &, const Value &>> = 0>
  device_global &operator=(const Value &value) {
    get() = value;
    return *this;
  }
  template <class Another = Type>
  auto operator[](std::ptrdiff_t i) -> decltype(std::declval<Another &>()[i]) {
    return get()[i];
  }
  template <class Another = Type>
  auto operator[](std::ptrdiff_t i) const -> decltype(std::declval<const Another &>()[i]) {
    return get()[i];
  }
  template <class Another = Type, sycl::detail::enable_if<std::is_pointer_v<Another>> = 0> Another operator->() const {
    return get();
  }
  template <class Another = Type, sycl::detail::enable_if<std::is_class_v<Another>> = 0>
  auto operator->() -> decltype(std::declval<Another &>().operator->()) {
    return get().operator->();
  }

  template <class Key> static constexpr bool has_property() noexcept { return List::template has_property<Key>(); }
  template <class Key> static constexpr auto get_property() noexcept { return List::template get_property<Key>(); }

  // For use by the other headers: the address on a device of the bytes from an offset on.
  void *sinter_target(std::uint32_t device, std::size_t bytes, std::size_t offset) const {
    constexpr host_access_enum access = sycl::detail::granted_access<List>();
    static_assert(access == host_access_enum::write || access == host_access_enum::read_write,
                  "host_access of this device_global lets the host not write it");
    return place(device, bytes, offset);
  }
  const void *sinter_source(std::uint32_t device, std::size_t bytes, std::size_t offset) const {
    constexpr host_access_enum access = sycl::detail::granted_access<List>();
    static_assert(access == host_access_enum::read || access == host_access_enum::read_write,
                  "host_access of this device_global lets the host not read it");
    return place(device, bytes, offset);
  }

private:
  void *place(std::uint32_t device, std::size_t bytes, std::size_t offset) const {
    if (offset > sizeof(Type) || bytes > sizeof(Type) - offset)
      sycl::detail::beyond_device_global(bytes, offset, sizeof(Type));
    void *address = nullptr;
    sycl::detail::check(sinter_device_global_address(device, &object, &address));
    const auto value = reinterpret_cast<const unsigned char *>(&object.value);
    return static_cast<unsigned char *>(address) + (value - reinterpret_cast<const unsigned char *>(&object)) + offset;
  }

  sycl::detail::device_global_object<Type> object;
};

} // namespace sycl::ext::oneapi::experimental

#endif
