// Property lists.
//
// A property is a bit of the list. The data of a property that has some, a mutex or a context, is a
// member of the list.
#ifndef SYCL_PROPERTIES_HPP
#define SYCL_PROPERTIES_HPP

#include "exception.hpp"
#include "../../sinter/jit_mode.hpp"

#define SYCL_EXT_ONEAPI_USM_DEVICE_READ_ONLY 1

namespace sycl {

template <class Type, class = void> struct is_property : std::false_type {};
template <class Type> struct is_property<Type, std::void_t<decltype(Type::sinter_bit)>> : std::true_type {};
template <class Type> inline constexpr bool is_property_v = is_property<Type>::value;

namespace property::queue {
struct in_order { static constexpr unsigned sinter_bit = 1u << 0; };
struct enable_profiling { static constexpr unsigned sinter_bit = 1u << 1; };
} // namespace property::queue

// DPC++'s properties. Events that are not stored cost nothing here; the others are hints for
// drivers.
namespace ext::oneapi::property::queue {
struct discard_events { static constexpr unsigned sinter_bit = 1u << 3; };
struct priority_low { static constexpr unsigned sinter_bit = 1u << 4; };
struct priority_normal { static constexpr unsigned sinter_bit = 1u << 5; };
struct priority_high { static constexpr unsigned sinter_bit = 1u << 6; };
} // namespace ext::oneapi::property::queue
namespace ext::intel::property::queue {
struct immediate_command_list { static constexpr unsigned sinter_bit = 1u << 7; };
struct no_immediate_command_list { static constexpr unsigned sinter_bit = 1u << 8; };
} // namespace ext::intel::property::queue

} // namespace sycl

namespace sinter::property::queue {

// The treatment of launches of the queue whose code is in no cache, in place of SINTER_JIT_MODE.
class jit {
public:
  static constexpr unsigned sinter_bit = 1u << 10;
  explicit jit(jit_mode chosen) noexcept : chosen_mode(chosen) {}
  jit_mode mode() const noexcept { return chosen_mode; }

  // For use by property_list.
  template <class List, class = decltype(List::sinter_jit_mode)>
  explicit jit(const List &list) noexcept : chosen_mode(list.sinter_jit_mode) {}
  template <class List> void sinter_keep(List &list) const noexcept { list.sinter_jit_mode = chosen_mode; }

private:
  jit_mode chosen_mode;
};

} // namespace sinter::property::queue

namespace sycl {

// A hint of DPC++'s: kernels only read the shared memory.
namespace ext::oneapi::property::usm {
struct device_read_only { static constexpr unsigned sinter_bit = 1u << 9; };
} // namespace ext::oneapi::property::usm

namespace property::reduction {
struct initialize_to_identity { static constexpr unsigned sinter_bit = 1u << 2; };
} // namespace property::reduction

// The former values of the elements are given up.
namespace property {
struct no_init { static constexpr unsigned sinter_bit = 1u << 4; };
} // namespace property

namespace detail {

// The context of context_bound (detail/storage_properties.hpp).
struct bound_context : counted {
  virtual ~bound_context() = default;
};

} // namespace detail

template <class Property, class Object> struct is_property_of : std::false_type {};
template <> struct is_property_of<property::queue::in_order, queue> : std::true_type {};
template <> struct is_property_of<property::queue::enable_profiling, queue> : std::true_type {};
template <> struct is_property_of<sinter::property::queue::jit, queue> : std::true_type {};
#define SINTER_HINT(name) template <> struct is_property_of<ext::name, queue> : std::true_type {};
SINTER_HINT(oneapi::property::queue::discard_events)
SINTER_HINT(oneapi::property::queue::priority_low)
SINTER_HINT(oneapi::property::queue::priority_normal)
SINTER_HINT(oneapi::property::queue::priority_high)
SINTER_HINT(intel::property::queue::immediate_command_list)
SINTER_HINT(intel::property::queue::no_immediate_command_list)
#undef SINTER_HINT
template <class Property, class Object>
inline constexpr bool is_property_of_v = is_property_of<Property, Object>::value;

class property_list {
public:
  template <class... Properties, detail::enable_if<(is_property_v<Properties> && ...)> = 0>
  property_list(Properties... properties) : bits((0u | ... | Properties::sinter_bit)) {
    (keep(properties, 0), ...);
  }

  template <class Property> bool has_property() const noexcept { return (bits & Property::sinter_bit) != 0; }
  template <class Property> Property get_property() const {
    if (!has_property<Property>())
      detail::raise(errc::invalid, "the property is not in the list");
    if constexpr (std::is_default_constructible_v<Property>)
      return {};
    else
      return Property(*this);
  }

  // For use by the properties with data.
  void *sinter_mutex = nullptr;
  detail::shared<detail::bound_context> sinter_context;
  sinter::jit_mode sinter_jit_mode = sinter::jit_mode::standard;

private:
  template <class Property> auto keep(const Property &property, int) -> decltype(property.sinter_keep(*this)) {
    property.sinter_keep(*this);
  }
  template <class Property> void keep(const Property &, long) noexcept {}

  unsigned bits;
};

} // namespace sycl

#endif
