// accessor: use of a buffer by a command.
//
// An accessor that is made with a handler has its address at once, because the device is known; the
// command that follows requires its part of the buffer. One that is made without is a placeholder
// until handler::require. Accessors of host tasks are the same with the address of the host's copy.
#ifndef SYCL_ACCESSOR_HPP
#define SYCL_ACCESSOR_HPP

#include "../detail/accessor_interface.hpp"
#include "../runtime/handler.hpp"
#include "local_accessor.hpp"

namespace sycl {
namespace detail {

// Arguments that place an accessor in its buffer.
template <class Type, int Dimensions> struct part_of {
  using place = accessor_place<Type, Dimensions>;
  template <class Buffer> static place whole(Buffer &of) {
    if constexpr (Dimensions == 0)
      return place_in<Buffer, 0, Type>(of, range<1>(of.size() == 0 ? 0 : 1), id<1>());
    else
      return place_in<Buffer, Dimensions, Type>(of, of.get_range(), id<Dimensions>());
  }
};

} // namespace detail

template <class Type, int Dimensions, access_mode Mode, target Target, access::placeholder Placeholder>
class accessor : public detail::accessor_interface<accessor<Type, Dimensions, Mode, Target, Placeholder>,
                                                   detail::accessed<Type, Mode>, Dimensions, Mode> {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "an accessor has zero to three dimensions");
  static_assert(!std::is_const_v<Type> || Mode == access_mode::read, "an accessor to const elements only reads");
  static_assert(Target == target::device || Target == target::constant_buffer || Target == target::host_task,
                "accessors have the targets device, constant_buffer, host_buffer, host_task and local, and for images "
                "image, host_image and image_array");

  using own_type = detail::accessed<Type, Mode>;
  using interface = detail::accessor_interface<accessor, own_type, Dimensions, Mode>;
  using part = detail::part_of<own_type, Dimensions>;
  static constexpr int dims = Dimensions == 0 ? 1 : Dimensions;
  template <class Element, class Allocator> using source = buffer<Element, dims, Allocator>;
  using properties = const property_list &;

public:
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<own_type, access::address_space::global_space, Decorated>;
  static constexpr access_mode mode = Mode;

  accessor() noexcept = default;

  template <class Element, class Allocator, detail::if_element<Element, Type> = 0>
  accessor(source<Element, Allocator> &of, properties list = {}) : accessor(part::whole(of), list) {}
  template <class Element, class Allocator, detail::if_element<Element, Type> = 0>
  accessor(source<Element, Allocator> &of, handler &group, properties list = {})
      : accessor(part::whole(of), group, list) {}
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, detail::if_tag<Tag> = 0>
  accessor(source<Element, Allocator> &of, Tag, properties list = {}) : accessor(part::whole(of), list) {}
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, detail::if_tag<Tag> = 0>
  accessor(source<Element, Allocator> &of, handler &group, Tag, properties list = {})
      : accessor(part::whole(of), group, list) {}

#define SINTER_PART detail::place_in<source<Element, Allocator>, Dimensions, own_type>
#define SINTER_RANGED                                                                                                \
  template <class Element, class Allocator, detail::if_element<Element, Type> = 0, int Dims = Dimensions,             \
            detail::enable_if<(Dims > 0)> = 0>
#define SINTER_TAGGED                                                                                                \
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, int Dims = Dimensions, \
            detail::enable_if<(Dims > 0) && detail::tag_of<Tag>::is_tag> = 0>
  SINTER_RANGED accessor(source<Element, Allocator> &of, range<dims> size, properties list = {})
      : accessor(SINTER_PART(of, size, {}), list) {}
  SINTER_TAGGED accessor(source<Element, Allocator> &of, range<dims> size, Tag, properties list = {})
      : accessor(SINTER_PART(of, size, {}), list) {}
  SINTER_RANGED accessor(source<Element, Allocator> &of, range<dims> size, id<dims> offset, properties list = {})
      : accessor(SINTER_PART(of, size, offset), list) {}
  SINTER_TAGGED accessor(source<Element, Allocator> &of, range<dims> size, id<dims> offset, Tag, properties list = {})
      : accessor(SINTER_PART(of, size, offset), list) {}
  SINTER_RANGED accessor(source<Element, Allocator> &of, handler &group, range<dims> size, properties list = {})
      : accessor(SINTER_PART(of, size, {}), group, list) {}
  SINTER_TAGGED accessor(source<Element, Allocator> &of, handler &group, range<dims> size, Tag, properties list = {})
      : accessor(SINTER_PART(of, size, {}), group, list) {}
  SINTER_RANGED
  accessor(source<Element, Allocator> &of, handler &group, range<dims> size, id<dims> offset, properties list = {})
      : accessor(SINTER_PART(of, size, offset), group, list) {}
  SINTER_TAGGED
  accessor(source<Element, Allocator> &of, handler &group, range<dims> size, id<dims> offset, Tag, properties list = {})
      : accessor(SINTER_PART(of, size, offset), group, list) {}
#undef SINTER_PART
#undef SINTER_RANGED
#undef SINTER_TAGGED

  // The same elements, for reading only, or with const in the type.
  template <class Another, access_mode Other, access::placeholder Kind,
            detail::enable_if<std::is_same_v<std::remove_const_t<Another>, std::remove_const_t<Type>> &&
                              (Mode == access_mode::read
                                   ? (Other == access_mode::read || Other == access_mode::read_write)
                                   : (Mode == Other && std::is_same_v<Another, Type>)) &&
                              !(Mode == Other && Kind == Placeholder && std::is_same_v<Another, Type>)> = 0>
  accessor(const accessor<Another, Dimensions, Other, Target, Kind> &other) noexcept
      : interface(detail::as_place_of<own_type>(other.sinter_place())) {
    constexpr std::uint32_t reads = SINTER_ACCESS_READ | (sinter_is_of_host ? SINTER_ACCESS_HOST : 0u);
    this->bits = Mode == Other ? other.sinter_access() : reads;
  }

  // Assigns the element of an accessor without dimensions.
  template <class Value, int Dims = Dimensions,
            detail::enable_if<Dims == 0 && std::is_assignable_v<own_type &, const Value &>> = 0>
  const accessor &operator=(const Value &value) const {
    *this->place.first = value;
    return *this;
  }

  void swap(accessor &other) noexcept {
    const accessor mine = *this;
    *this = other;
    other = mine;
  }
  bool is_placeholder() const noexcept {
    return detail::is_token(reinterpret_cast<std::uintptr_t>(this->place.first));
  }

  auto get_pointer() const noexcept {
    if constexpr (Target == target::host_task)
      return this->sinter_origin();
    else if constexpr (Target == target::constant_buffer)
      return constant_ptr<Type>(const_cast<Type *>(this->sinter_origin()));
    else
      return global_ptr<own_type>(this->sinter_origin());
  }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(this->sinter_origin());
  }

  SINTER_OWNER_BEFORE

  // For use by the other headers.
  static constexpr bool sinter_is_of_host = Target == target::host_task;

private:
  using where = detail::accessor_place<own_type, Dimensions>;

  accessor(const where &at, properties list) : interface(at) {
    set_access(list);
    this->place.first = reinterpret_cast<own_type *>(detail::new_token());
  }
  accessor(const where &at, handler &group, properties list) : interface(at) {
    set_access(list);
    this->place.first = reinterpret_cast<own_type *>(group.sinter_require(this->place, this->sinter_access()));
  }

  void set_access(properties list) {
    this->set_bits(list);
    if constexpr (sinter_is_of_host)
      this->bits |= SINTER_ACCESS_HOST;
  }
};

#define SINTER_BUFFER buffer<Type, Dimensions, Allocator> &
#define SINTER_GUIDE(...)                                                                                            \
  accessor<Type, Dimensions, detail::deduced_mode<Type, __VA_ARGS__>, detail::deduced_target<__VA_ARGS__>>
template <class Type, int Dimensions, class Allocator, class... Rest>
accessor(SINTER_BUFFER, Rest &&...)
    -> accessor<Type, Dimensions, detail::deduced_mode<Type, Rest...>, detail::deduced_target<Rest...>>;
// With a property list in braces.
template <class Type, int Dimensions, class Allocator, class First>
accessor(SINTER_BUFFER, First, const property_list &) -> SINTER_GUIDE(First);
template <class Type, int Dimensions, class Allocator, class First>
accessor(SINTER_BUFFER, handler &, First, const property_list &) -> SINTER_GUIDE(First);
template <class Type, int Dimensions, class Allocator, class First, class Second>
accessor(SINTER_BUFFER, First, Second, const property_list &) -> SINTER_GUIDE(First, Second);
template <class Type, int Dimensions, class Allocator, class First, class Second>
accessor(SINTER_BUFFER, handler &, First, Second, const property_list &) -> SINTER_GUIDE(First, Second);
template <class Type, int Dimensions, class Allocator, class First, class Second, class Third>
accessor(SINTER_BUFFER, handler &, First, Second, Third, const property_list &) -> SINTER_GUIDE(First, Second, Third);
#undef SINTER_BUFFER
#undef SINTER_GUIDE

namespace detail {
template <class Type, int Dimensions, access_mode Mode, access::placeholder Kind>
Type *reduction_variable_of(const accessor<Type, Dimensions, Mode, target::device, Kind> &variable) {
  static_assert(Mode != access_mode::read, "a reduction writes its variable");
  if (variable.size() != 1 || variable.is_placeholder())
    raise(errc::invalid, "the accessor of a reduction has one element, and belongs to the command group");
  return variable.sinter_place().first;
}
} // namespace detail

// Of the drafts of SYCL 2020: a reduction into the only element of an accessor.
template <class Type, int Dimensions, access_mode Mode, access::placeholder Kind, class Operation,
          detail::if_combiner<Operation> = 0>
auto reduction(const accessor<Type, Dimensions, Mode, target::device, Kind> &variable, Operation combine,
               const property_list &list = {}) {
  return detail::make_reduction<Type, 0>(detail::reduction_variable_of(variable), combine, list);
}
template <class Type, int Dimensions, access_mode Mode, access::placeholder Kind, class Operation,
          detail::if_combiner<Operation> = 0>
auto reduction(const accessor<Type, Dimensions, Mode, target::device, Kind> &variable,
               const detail::no_deduction<Type> &identity, Operation combine, const property_list &list = {}) {
  return detail::make_reduction<Type, 0>(detail::reduction_variable_of(variable), identity, combine, list);
}

} // namespace sycl

template <class Type, int Dimensions, sycl::access_mode Mode, sycl::target Target, sycl::access::placeholder Kind>
struct std::hash<sycl::accessor<Type, Dimensions, Mode, Target, Kind>> {
  std::size_t operator()(const sycl::accessor<Type, Dimensions, Mode, Target, Kind> &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
