// annotated_ptr and annotated_arg: kernel arguments with compile-time properties, which have no
// effect here.
#ifndef SYCL_ANNOTATED_PTR_HPP
#define SYCL_ANNOTATED_PTR_HPP

#include "../runtime/launch_properties.hpp"

#define SYCL_EXT_ONEAPI_ANNOTATED_PTR 1
#define SYCL_EXT_ONEAPI_ANNOTATED_ARG 1

namespace sycl::ext::oneapi::experimental {

template <class Type, class List = empty_properties_t> class annotated_ptr {
public:
  using value_type = Type;

  annotated_ptr() noexcept = default;
  template <class... Given> explicit annotated_ptr(Type *pointer, const Given &...) noexcept : address(pointer) {}
  template <class Another, class Other>
  explicit annotated_ptr(const annotated_ptr<Another, Other> &other) noexcept : address(other.get()) {}

  Type *get() const noexcept { return address; }
  operator Type *() const noexcept { return address; }
  Type &operator*() const noexcept { return *address; }
  Type *operator->() const noexcept { return address; }
  Type &operator[](std::ptrdiff_t i) const noexcept { return address[i]; }
  annotated_ptr operator+(std::ptrdiff_t places) const noexcept { return annotated_ptr(address + places); }
  std::ptrdiff_t operator-(annotated_ptr other) const noexcept { return address - other.address; }
  annotated_ptr &operator=(Type *pointer) noexcept {
    address = pointer;
    return *this;
  }
  annotated_ptr &operator++() noexcept {
    ++address;
    return *this;
  }
  annotated_ptr operator++(int) noexcept { return annotated_ptr(address++); }
  annotated_ptr &operator--() noexcept {
    --address;
    return *this;
  }
  annotated_ptr operator--(int) noexcept { return annotated_ptr(address--); }

  template <class Key> static constexpr bool has_property() noexcept { return List::template has_property<Key>(); }
  template <class Key> static constexpr auto get_property() noexcept { return List::template get_property<Key>(); }

private:
  Type *address = nullptr;
};
template <class Type, class... Given>
annotated_ptr(Type *, Given...) -> annotated_ptr<Type, properties<Given...>>;
template <class Type, class... Given>
annotated_ptr(Type *, properties<Given...>) -> annotated_ptr<Type, properties<Given...>>;

template <class Type, class List = empty_properties_t> class annotated_arg {
public:
  annotated_arg() noexcept = default;
  template <class... Given> annotated_arg(const Type &argument, const Given &...) noexcept : value(argument) {}

  operator Type &() noexcept { return value; }
  operator const Type &() const noexcept { return value; }
  template <class Key> static constexpr bool has_property() noexcept { return List::template has_property<Key>(); }
  template <class Key> static constexpr auto get_property() noexcept { return List::template get_property<Key>(); }

private:
  Type value;
};
template <class Type, class... Given> annotated_arg(Type, Given...) -> annotated_arg<Type, properties<Given...>>;
template <class Type, class... Given>
annotated_arg(Type, properties<Given...>) -> annotated_arg<Type, properties<Given...>>;

} // namespace sycl::ext::oneapi::experimental

#endif
