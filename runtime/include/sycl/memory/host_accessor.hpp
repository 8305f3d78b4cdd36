// host_accessor: use of a buffer by the host program.
//
// The constructor waits for the commands that conflict, and brings the newest elements to the host.
// Commands that are submitted later and conflict start after the last copy of the accessor is gone.
#ifndef SYCL_HOST_ACCESSOR_HPP
#define SYCL_HOST_ACCESSOR_HPP

#include "../detail/accessor_interface.hpp"

namespace sycl {
namespace detail {

// The hold on a part of a buffer, which copies of an accessor share.
class host_hold : public counted {
public:
  host_hold(buffer_state *of, std::uint32_t access, const sinter_box &box)
      : owner(shared<buffer_state>::share(of)) {
    check(sinter_buffer_access(of->get(), access, &box, &memory, &held));
  }
  ~host_hold() { sinter_buffer_release(held); }
  unsigned char *address() const noexcept { return static_cast<unsigned char *>(memory); }

private:
  shared<buffer_state> owner;
  void *memory = nullptr;
  sinter_host_access *held = nullptr;
};

} // namespace detail

template <class Type, int Dimensions, access_mode Mode>
class host_accessor : public detail::accessor_interface<host_accessor<Type, Dimensions, Mode>,
                                                        detail::accessed<Type, Mode>, Dimensions, Mode> {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "an accessor has zero to three dimensions");
  using own_type = detail::accessed<Type, Mode>;
  using interface = detail::accessor_interface<host_accessor, own_type, Dimensions, Mode>;
  static constexpr int dims = Dimensions == 0 ? 1 : Dimensions;
  template <class Element, class Allocator> using source = buffer<Element, dims, Allocator>;
  using properties = const property_list &;

public:
  host_accessor() noexcept = default;
  template <class Element, class Allocator, detail::if_element<Element, Type> = 0>
  host_accessor(source<Element, Allocator> &of, properties list = {}) {
    hold(of, all(of), {}, list);
  }
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, detail::if_tag<Tag> = 0>
  host_accessor(source<Element, Allocator> &of, Tag, properties list = {}) {
    hold(of, all(of), {}, list);
  }
  template <class Element, class Allocator, detail::if_element<Element, Type> = 0>
  host_accessor(source<Element, Allocator> &of, range<dims> size, properties list = {}) {
    hold(of, size, {}, list);
  }
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, detail::if_tag<Tag> = 0>
  host_accessor(source<Element, Allocator> &of, range<dims> size, Tag, properties list = {}) {
    hold(of, size, {}, list);
  }
  template <class Element, class Allocator, detail::if_element<Element, Type> = 0>
  host_accessor(source<Element, Allocator> &of, range<dims> size, id<dims> offset, properties list = {}) {
    hold(of, size, offset, list);
  }
  template <class Element, class Allocator, class Tag, detail::if_element<Element, Type> = 0, detail::if_tag<Tag> = 0>
  host_accessor(source<Element, Allocator> &of, range<dims> size, id<dims> offset, Tag, properties list = {}) {
    hold(of, size, offset, list);
  }
  template <class Another, access_mode Other,
            detail::enable_if<std::is_same_v<std::remove_const_t<Another>, std::remove_const_t<Type>> &&
                              Mode == access_mode::read &&
                              (Other == access_mode::read || Other == access_mode::read_write) &&
                              !(Mode == Other && std::is_same_v<Another, Type>)> = 0>
  host_accessor(const host_accessor<Another, Dimensions, Other> &other) noexcept
      : interface(detail::as_place_of<own_type>(other.sinter_place())), held(other.sinter_hold()) {}

  // Assigns the element of an accessor without dimensions.
  template <class Value, int Dims = Dimensions,
            detail::enable_if<Dims == 0 && std::is_assignable_v<own_type &, const Value &>> = 0>
  const host_accessor &operator=(const Value &value) const {
    *this->place.first = value;
    return *this;
  }

  void swap(host_accessor &other) noexcept {
    host_accessor mine = *this;
    *this = other;
    other = mine;
  }
  // The first element of the buffer.
  own_type *get_pointer() const noexcept { return this->sinter_origin(); }

  SINTER_OWNER_BEFORE

  // For use by the other headers.
  const detail::shared<detail::host_hold> &sinter_hold() const noexcept { return held; }

private:
  friend detail::weak_access;
  template <class Buffer> static range<dims> all(Buffer &of) {
    if constexpr (Dimensions == 0)
      return range<1>(of.size() == 0 ? 0 : 1);
    else
      return of.get_range();
  }
  template <class Buffer> void hold(Buffer &of, const range<dims> &size, const id<dims> &offset, properties list) {
    this->set_bits(list);
    this->place = detail::place_in<Buffer, Dimensions, own_type>(of, size, offset);
    held = detail::shared<detail::host_hold>::adopt(
        new detail::host_hold(this->place.owner, this->sinter_access(), this->place.box()));
    this->place.first = reinterpret_cast<own_type *>(held->address() + this->place.offset());
  }

  detail::shared<detail::host_hold> held;
};

template <class Type, int Dimensions, class Allocator, class... Rest>
host_accessor(buffer<Type, Dimensions, Allocator> &, Rest &&...)
    -> host_accessor<Type, Dimensions, detail::deduced_mode<Type, Rest...>>;
template <class Type, int Dimensions, class Allocator, class First>
host_accessor(buffer<Type, Dimensions, Allocator> &, First, const property_list &)
    -> host_accessor<Type, Dimensions, detail::deduced_mode<Type, First>>;
template <class Type, int Dimensions, class Allocator, class First, class Second>
host_accessor(buffer<Type, Dimensions, Allocator> &, First, Second, const property_list &)
    -> host_accessor<Type, Dimensions, detail::deduced_mode<Type, First, Second>>;

// The accessor of SYCL 1.2.1 for the host.
template <class Type, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<Type, Dimensions, Mode, target::host_buffer, Placeholder>
    : public host_accessor<Type, Dimensions, Mode> {
  using base = host_accessor<Type, Dimensions, Mode>;

public:
  using base::base;
  using base::operator=;
  bool is_placeholder() const noexcept { return false; }
};

} // namespace sycl

template <class Type, int Dimensions, sycl::access_mode Mode>
struct std::hash<sycl::host_accessor<Type, Dimensions, Mode>> {
  std::size_t operator()(const sycl::host_accessor<Type, Dimensions, Mode> &value) const noexcept {
    return value.sinter_hash();
  }
};

#endif
