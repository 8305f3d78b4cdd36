// local_accessor: memory that the work-items of a group share, with a size chosen at the launch.
//
// The handler assigns consecutive offsets to the accessors of a command group; an accessor stores
// only its offset and its range, so that a kernel receives plain numbers. Address = start of the
// dynamic local memory + offset. Kernels are specialised for these numbers: a tile of constant size
// is a constant for the translator too.
#ifndef SYCL_LOCAL_ACCESSOR_HPP
#define SYCL_LOCAL_ACCESSOR_HPP

#include "access.hpp"
#include "../detail/accessor_interface.hpp"
#include "../runtime/handler.hpp"

#include <iterator>

namespace sycl {
namespace detail {

// Offset and number of an accessor's elements. Stage 1 finds these values by the name of this type.
template <int Dimensions> struct sinter_specialized_place {
  std::uint32_t offset = 0;
  range<Dimensions> count;

  friend bool operator==(const sinter_specialized_place &a, const sinter_specialized_place &b) noexcept {
    return a.offset == b.offset && a.count == b.count;
  }
};

// A plane of a three-dimensional accessor. A row of a two-dimensional one is a pointer.
template <class Type> class local_plane {
public:
  local_plane(Type *start, std::size_t columns) noexcept : first(start), width(columns) {}
  Type *operator[](std::size_t row) const noexcept { return first + row * width; }

private:
  Type *first;
  std::size_t width;
};

// An accessor without dimensions converts to its element. A base class, because built-in operators
// do not use conversion function templates.
template <class Accessor, class Type, int Dimensions> class local_element {};
template <class Accessor, class Type> class local_element<Accessor, Type, 0> {
public:
  operator Type &() const noexcept { return *self().sinter_address(); }
  const Accessor &operator=(const Type &value) const {
    *self().sinter_address() = value;
    return self();
  }
  const Accessor &operator=(Type &&value) const {
    *self().sinter_address() = static_cast<Type &&>(value);
    return self();
  }

private:
  const Accessor &self() const noexcept { return static_cast<const Accessor &>(*this); }
};

} // namespace detail

template <class Type, int Dimensions>
class local_accessor : public detail::local_element<local_accessor<Type, Dimensions>, Type, Dimensions> {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "a local accessor has zero to three dimensions");
  using element = detail::local_element<local_accessor, Type, Dimensions>;
  // An accessor without dimensions holds one element.
  using extent = range<Dimensions == 0 ? 1 : Dimensions>;

public:
  using value_type = Type;
  using reference = Type &;
  using const_reference = const Type &;
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<Type, access::address_space::local_space, Decorated>;
  using iterator = Type *;
  using const_iterator = const Type *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;

  local_accessor() noexcept = default;
  template <int Dims = Dimensions, detail::enable_if<Dims == 0> = 0>
  explicit local_accessor(handler &owner, const property_list & = {}) : local_accessor(extent(1), &owner) {}
  template <int Dims = Dimensions, detail::enable_if<(Dims > 0)> = 0>
  local_accessor(detail::no_deduction<range<Dims>> size, handler &owner, const property_list & = {})
      : local_accessor(size, &owner) {}
  // A read-only accessor to the same elements.
  template <class Another, detail::enable_if<std::is_const_v<Type> && std::is_same_v<Type, const Another>> = 0>
  local_accessor(const local_accessor<Another, Dimensions> &other) noexcept
      : place{other.sinter_offset(), other.sinter_extent()} {}

  using element::operator=;

  void swap(local_accessor &other) noexcept {
    const auto mine = place;
    place = other.place;
    other.place = mine;
  }

  size_type byte_size() const noexcept { return size() * sizeof(Type); }
  size_type size() const noexcept { return place.count.size(); }
  size_type max_size() const noexcept { return size_type(-1) / 2; }
  bool empty() const noexcept { return size() == 0; }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 0)> = 0> range<Dims> get_range() const noexcept {
    return place.count;
  }

  template <int Dims = Dimensions, detail::enable_if<(Dims > 0)> = 0>
  reference operator[](detail::no_deduction<id<Dims>> index) const noexcept {
    return sinter_address()[detail::linear(index, place.count)];
  }
  template <int Dims = Dimensions, detail::enable_if<Dims == 1> = 0>
  reference operator[](std::size_t index) const noexcept {
    return sinter_address()[index];
  }
  template <int Dims = Dimensions, detail::enable_if<Dims == 2> = 0> Type *operator[](std::size_t row) const noexcept {
    return sinter_address() + row * place.count[1];
  }
  template <int Dims = Dimensions, detail::enable_if<Dims == 3> = 0>
  detail::local_plane<Type> operator[](std::size_t plane) const noexcept {
    return {sinter_address() + plane * place.count[1] * place.count[2], place.count[2]};
  }

  local_ptr<Type> get_pointer() const noexcept { return sinter_address(); }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(sinter_address());
  }

  iterator begin() const noexcept { return sinter_address(); }
  iterator end() const noexcept { return begin() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  friend bool operator==(const local_accessor &a, const local_accessor &b) noexcept {
    return a.place == b.place;
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) noexcept { return !(a == b); }

  SINTER_OWNER_BEFORE

  // For use by the other headers.
  Type *sinter_address() const noexcept {
    auto *first = static_cast<SINTER_LOCAL char *>(__acpp_sscp_get_dynamic_local_memory()) + place.offset;
    if constexpr (alignof(Type) > detail::local_memory_alignment)
      first = __builtin_align_up(first, alignof(Type));
    return (Type *)first;
  }
  std::uint32_t sinter_offset() const noexcept { return place.offset; }
  const extent &sinter_extent() const noexcept { return place.count; }

private:
  local_accessor(const extent &size, handler *owner)
      : place{owner->sinter_place(detail::product(errc::memory_allocation, "local memory", size, sizeof(Type)),
                                  alignof(Type)),
              size} {}

  detail::sinter_specialized_place<extent::dimensions> place;
};

// The accessor of SYCL 1.2.1.
template <class Type, int Dimensions, access_mode Mode, access::placeholder Placeholder>
class accessor<Type, Dimensions, Mode, target::local, Placeholder>
    : public local_accessor<std::conditional_t<Mode == access_mode::read, const Type, Type>, Dimensions> {
  static_assert(Mode == access_mode::read_write || Mode == access_mode::read,
                "an accessor to local memory has access::mode::read_write, read or atomic");
  using base = local_accessor<std::conditional_t<Mode == access_mode::read, const Type, Type>, Dimensions>;

public:
  using base::base;
  using base::operator=;

  std::size_t get_size() const noexcept { return this->byte_size(); }
  std::size_t get_count() const noexcept { return this->size(); }
};

namespace detail {

// Elements of local memory as atomic objects.
template <class Type> struct local_atomic {
  using type = atomic<Type, access::address_space::local_space>;
  static type at(Type *place) noexcept { return type(local_ptr<Type>(place)); }
};

} // namespace detail

// The same memory, with elements accessed through sycl::atomic.
template <class Type, int Dimensions, access::placeholder Placeholder>
class accessor<Type, Dimensions, access_mode::atomic, target::local, Placeholder>
    : private accessor<Type, Dimensions, access_mode::read_write, target::local, Placeholder> {
  using base = accessor<Type, Dimensions, access_mode::read_write, target::local, Placeholder>;
  using element = detail::local_atomic<Type>;
  using object = typename element::type;

public:
  using typename base::const_reference;
  using typename base::reference;
  using typename base::value_type;
  using base::base;
  using base::get_count;
  using base::get_pointer;
  using base::get_range;
  using base::get_size;
  using base::sinter_offset;
  using base::size;

  template <int Dims = Dimensions, detail::enable_if<Dims == 0> = 0> operator object() const noexcept {
    return element::at(this->sinter_address());
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 0)> = 0>
  object operator[](detail::no_deduction<id<Dims>> index) const noexcept {
    return element::at(&base::operator[](index));
  }
  template <int Dims = Dimensions, detail::enable_if<Dims == 1> = 0>
  object operator[](std::size_t index) const noexcept {
    return element::at(&base::operator[](index));
  }
  template <int Dims = Dimensions, detail::enable_if<(Dims > 1)> = 0>
  detail::accessor_slice<element, Type, Dims - 1> operator[](std::size_t index) const noexcept {
    const auto &lengths = this->sinter_extent();
    return {this->sinter_address() + index * (lengths.size() / lengths[0]), &lengths[1]};
  }

  friend bool operator==(const accessor &a, const accessor &b) noexcept {
    return static_cast<const base &>(a) == static_cast<const base &>(b);
  }
  friend bool operator!=(const accessor &a, const accessor &b) noexcept { return !(a == b); }
};

} // namespace sycl

template <class Type, int Dimensions> struct std::hash<sycl::local_accessor<Type, Dimensions>> {
  std::size_t operator()(const sycl::local_accessor<Type, Dimensions> &value) const noexcept {
    return value.sinter_offset() * 31 + value.size();
  }
};
template <class Type, int Dimensions, sycl::access_mode Mode, sycl::access::placeholder Kind>
struct std::hash<sycl::accessor<Type, Dimensions, Mode, sycl::target::local, Kind>> {
  using accessor = sycl::accessor<Type, Dimensions, Mode, sycl::target::local, Kind>;
  std::size_t operator()(const accessor &value) const noexcept {
    return value.sinter_offset() * 31 + value.size();
  }
};

#endif
