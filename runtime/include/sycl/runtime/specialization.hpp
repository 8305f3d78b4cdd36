// Specialization constants: specialization_id, kernel_handler, and `specialized` values.
//
// A constant is identified by its variable, whose mangled name the runtime and the translator use.
// Device code requests the address of the value, which the translator replaces by the launch's
// value or by the variable itself, so that the value is a literal before the kernel is optimised.
#ifndef SYCL_SPECIALIZATION_HPP
#define SYCL_SPECIALIZATION_HPP

#include "../../sinter/sinter.h"
#include "../detail/builtins.hpp"
#include "../detail/kernel_records.hpp"
#include "../index/item.hpp"

#include <vector>

namespace sycl {

// The default value is the whole object: device code reads it from the variable's address.
template <class Type> class specialization_id {
  static_assert(is_device_copyable_v<Type>, "the value of a specialization constant must be device copyable");

public:
  using value_type = Type;

  template <class... Arguments, detail::enable_if<std::is_constructible_v<Type, Arguments...>> = 0>
  explicit constexpr specialization_id(Arguments &&...arguments) : value(static_cast<Arguments &&>(arguments)...) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id &operator=(const specialization_id &) = delete;

  constexpr const Type &sinter_default() const noexcept { return value; }

private:
  Type value;
};

namespace detail {

// The type of the constant `Id`.
template <auto &Id> using constant_type = typename std::remove_reference_t<decltype(Id)>::value_type;

// The mangled name of the constant; a literal after stage 1.
template <auto &Id> inline const char *constant_name() {
  const char *name = nullptr;
  __sinter_bind_symbol(&Id, &name);
  return name;
}

// The values set by a command group, with copies of their bytes.
class constant_values {
public:
  constant_values() = default;
  constant_values(const constant_values &) = delete;
  constant_values &operator=(const constant_values &) = delete;
  ~constant_values() {
    for (const sinter_constant &constant : constants)
      ::operator delete(const_cast<void *>(constant.value));
  }

  // A template, so that only programs with specialization constants compile the growth of the list.
  template <class = void> void set(const char *name, const void *value, std::size_t size) {
    const void *place = find(name);
    if (!place) {
      constants.push_back({name, nullptr, 0});
      constants.back().value = place = ::operator new(size);
      constants.back().size = size;
    }
    __builtin_memcpy(const_cast<void *>(place), value, size);
  }
  // Two translation units may have the same name at two addresses.
  const void *find(const char *name) const {
    for (const sinter_constant &constant : constants)
      if (__builtin_strcmp(constant.name, name) == 0)
        return constant.value;
    return nullptr;
  }
  // True if all values of another list are in this one.
  bool has(const constant_values &other) const {
    for (const sinter_constant &constant : other.constants) {
      const void *const own = find(constant.name);
      if (!own || __builtin_memcmp(own, constant.value, constant.size) != 0)
        return false;
    }
    return true;
  }
  // Adds the values of another list.
  void add(const constant_values &other) {
    for (const sinter_constant &constant : other.constants)
      set(constant.name, constant.value, constant.size);
  }
  bool empty() const noexcept { return constants.empty(); }
  void give(sinter_launch &launch) const noexcept {
    launch.constant_count = static_cast<std::uint32_t>(constants.size());
    launch.constants = constants.data();
  }

private:
  std::vector<sinter_constant> constants;
};

// A value for which the kernel is specialised: stage 1 finds it in a kernel's captures by the name
// of this type.
template <class Type> struct sinter_specialized {
  static_assert(std::is_arithmetic_v<Type> || std::is_enum_v<Type> || std::is_pointer_v<Type> || is_short_float<Type>,
                "a specialized value is a number, an enumerator or a pointer");
  Type value;

  constexpr sinter_specialized() noexcept : value() {}
  constexpr sinter_specialized(Type initial) noexcept : value(initial) {}
  constexpr operator Type() const noexcept { return value; }
};

} // namespace detail

template <class Type> using specialized = detail::sinter_specialized<Type>;
namespace AdaptiveCpp_jit {
template <class Type> using specialized = detail::sinter_specialized<Type>;
} // namespace AdaptiveCpp_jit

// Optional last parameter of a kernel.
class kernel_handler {
public:
  template <auto &Id> detail::constant_type<Id> get_specialization_constant() const {
    static_cast<void>(&detail::constant_registration<Id>::record);
    return *static_cast<const detail::constant_type<Id> *>(__sinter_specialization_constant(&Id));
  }

private:
  friend detail::maker;
  constexpr explicit kernel_handler(std::nullptr_t) noexcept {}
};

} // namespace sycl

#endif
