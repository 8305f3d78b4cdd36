// The common part of accessors to buffers: a box of a buffer's elements at an address.
//
// A kernel uses the address of the box's first element, and the lengths of the buffer where there
// is more than one dimension; all other members are for the host, and a launch does not pass them.
// *Invariant:* the address is followed by the owner, so that the token of a placeholder is found in
// the argument block of a kernel (detail/requirements.hpp).
#ifndef SYCL_DETAIL_ACCESSOR_INTERFACE_HPP
#define SYCL_DETAIL_ACCESSOR_INTERFACE_HPP

#include "../memory/access.hpp"
#include "../memory/atomic.hpp"
#include "../index/item.hpp"
#include "../memory/multi_ptr.hpp"
#include "requirements.hpp"

#include <iterator>

namespace sycl::detail {

template <class Type, int Dimensions> struct accessor_place {
  static constexpr int dims = Dimensions == 0 ? 1 : Dimensions;

  Type *first = nullptr;
  buffer_state *owner = nullptr;
  range<dims> whole, part;
  id<dims> start;
  std::size_t base = 0;

  friend bool operator==(const accessor_place &a, const accessor_place &b) noexcept {
    return a.first == b.first && a.owner == b.owner && a.base == b.base && a.whole == b.whole && a.part == b.part &&
           a.start == b.start;
  }
  sinter_box box() const noexcept { return box_of(base, whole, part, start, sizeof(Type)); }
  // Bytes from the start of the buffer to the first element.
  std::size_t offset() const noexcept { return base + linear(start, whole) * sizeof(Type); }
};

[[noreturn]] __attribute__((noinline, cold)) inline void beyond_buffer(int d, std::size_t part, std::size_t start,
                                                                      std::size_t whole) {
  raise(errc::invalid, "an accessor of " + std::to_string(part) + " elements from " + std::to_string(start) +
                           " on in dimension " + std::to_string(d) + " exceeds the " + std::to_string(whole) +
                           " of its buffer");
}

template <class Buffer, int Dimensions, class Type>
accessor_place<Type, Dimensions> place_in(Buffer &of, const range<accessor_place<Type, Dimensions>::dims> &part,
                                          const id<accessor_place<Type, Dimensions>::dims> &start) {
  accessor_place<Type, Dimensions> place;
  place.owner = of.sinter_state();
  place.whole = of.get_range();
  place.part = part;
  place.start = start;
  place.base = of.sinter_base();
  for (int d = 0; d < place.dims; ++d)
    if (start[d] > place.whole[d] || part[d] > place.whole[d] - start[d])
      beyond_buffer(d, part[d], start[d], place.whole[d]);
  return place;
}

// Visits a box in row-major order. Rows of a box need not be adjacent, so a pointer does not do.
template <class Type, int Dimensions> class box_iterator {
public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = std::remove_cv_t<Type>;
  using difference_type = std::ptrdiff_t;
  using pointer = Type *;
  using reference = Type &;

  box_iterator() noexcept = default;
  box_iterator(Type *start, const range<Dimensions> &all, const range<Dimensions> &box, std::size_t at) noexcept
      : first(start), whole(all), part(box), index(static_cast<difference_type>(at)) {}
  operator box_iterator<const Type, Dimensions>() const noexcept {
    return {first, whole, part, static_cast<std::size_t>(index)};
  }

  reference operator*() const noexcept { return at(index); }
  pointer operator->() const noexcept { return &at(index); }
  reference operator[](difference_type distance) const noexcept { return at(index + distance); }
  box_iterator &operator++() noexcept { return *this += 1; }
  box_iterator &operator--() noexcept { return *this -= 1; }
  box_iterator operator++(int) noexcept {
    const box_iterator before = *this;
    ++index;
    return before;
  }
  box_iterator operator--(int) noexcept {
    const box_iterator before = *this;
    --index;
    return before;
  }
  box_iterator &operator+=(difference_type distance) noexcept {
    index += distance;
    return *this;
  }
  box_iterator &operator-=(difference_type distance) noexcept { return *this += -distance; }
  friend box_iterator operator+(box_iterator a, difference_type distance) noexcept { return a += distance; }
  friend box_iterator operator+(difference_type distance, box_iterator a) noexcept { return a += distance; }
  friend box_iterator operator-(box_iterator a, difference_type distance) noexcept { return a -= distance; }
  friend difference_type operator-(const box_iterator &a, const box_iterator &b) noexcept { return a.index - b.index; }
  friend bool operator==(const box_iterator &a, const box_iterator &b) noexcept { return a.index == b.index; }
  friend bool operator!=(const box_iterator &a, const box_iterator &b) noexcept { return a.index != b.index; }
  friend bool operator<(const box_iterator &a, const box_iterator &b) noexcept { return a.index < b.index; }
  friend bool operator>(const box_iterator &a, const box_iterator &b) noexcept { return a.index > b.index; }
  friend bool operator<=(const box_iterator &a, const box_iterator &b) noexcept { return a.index <= b.index; }
  friend bool operator>=(const box_iterator &a, const box_iterator &b) noexcept { return a.index >= b.index; }

private:
  reference at(difference_type position) const noexcept {
    std::size_t rest = static_cast<std::size_t>(position);
    id<Dimensions> found;
    for (int d = Dimensions - 1; d > 0; --d) {
      found[d] = rest % part[d];
      rest /= part[d];
    }
    found[0] = rest;
    return first[linear(found, whole)];
  }

  Type *first = nullptr;
  range<Dimensions> whole, part;
  difference_type index = 0;
};

// Elements as a program gets them: references, or atomic objects.
template <class Type, access_mode Mode> struct element_of {
  using type = Type &;
  static type at(Type *place) noexcept { return *place; }
};
template <class Type> struct element_of<Type, access_mode::atomic> {
  using type = atomic<Type, access::address_space::global_space>;
  static type at(Type *place) noexcept { return type(global_ptr<Type>(place)); }
};

// A row or a plane of an accessor, which takes the rest of the indices.
template <class Element, class Type, int Left> class accessor_slice {
public:
  accessor_slice(Type *start, const std::size_t *all) noexcept : first(start) {
    for (int d = 0; d < Left; ++d)
      lengths[d] = all[d];
  }
  decltype(auto) operator[](std::size_t index) const noexcept {
    if constexpr (Left == 1)
      return Element::at(first + index);
    else
      return accessor_slice<Element, Type, Left - 1>(first + index * lengths[1], lengths + 1);
  }

private:
  Type *first;
  std::size_t lengths[Left];
};

// An accessor without dimensions converts to its element. A base class, because built-in operators
// do not use conversion function templates.
template <class Accessor, class Type, access_mode Mode, int Dimensions> class buffer_element {};
template <class Accessor, class Type, access_mode Mode> class buffer_element<Accessor, Type, Mode, 0> {
public:
  operator typename element_of<Type, Mode>::type() const noexcept { return element_of<Type, Mode>::at(address()); }

private:
  Type *address() const noexcept { return static_cast<const Accessor &>(*this).sinter_place().first; }
};

// The members that accessors of devices and of the host share. `Type` is const if the mode is read.
template <class Accessor, class Type, int Dimensions, access_mode Mode>
class accessor_interface : public buffer_element<Accessor, Type, Mode, Dimensions> {
  using element = element_of<Type, Mode>;

public:
  using value_type = Type;
  using reference = Type &;
  using const_reference = const Type &;
  using iterator = std::conditional_t<(Dimensions < 2), Type *, box_iterator<Type, (Dimensions < 2 ? 1 : Dimensions)>>;
  using const_iterator =
      std::conditional_t<(Dimensions < 2), const Type *, box_iterator<const Type, (Dimensions < 2 ? 1 : Dimensions)>>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;

  size_type byte_size() const noexcept { return size() * sizeof(Type); }
  size_type size() const noexcept { return place.part.size(); }
  size_type max_size() const noexcept { return size_type(-1) / 2; }
  size_type get_size() const noexcept { return byte_size(); }
  size_type get_count() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }
  template <int Dims = Dimensions, enable_if<(Dims > 0)> = 0> range<Dims> get_range() const noexcept {
    return place.part;
  }
  template <int Dims = Dimensions, enable_if<(Dims > 0)> = 0> id<Dims> get_offset() const noexcept {
    return place.start;
  }

  template <int Dims = Dimensions, enable_if<(Dims > 0)> = 0>
  typename element::type operator[](no_deduction<id<Dims>> index) const noexcept {
    return element::at(place.first + linear(index, place.whole));
  }
  template <int Dims = Dimensions, enable_if<Dims == 1> = 0>
  typename element::type operator[](std::size_t index) const noexcept {
    return element::at(place.first + index);
  }
  // An item converts to both of the above.
  template <int Dims = Dimensions, bool WithOffset, enable_if<Dims == 1> = 0>
  typename element::type operator[](const item<Dims, WithOffset> &index) const noexcept {
    return element::at(place.first + index.get_id(0));
  }
  template <int Dims = Dimensions, enable_if<(Dims > 1)> = 0>
  accessor_slice<element, Type, Dims - 1> operator[](std::size_t index) const noexcept {
    std::size_t step = place.whole[1];
    if constexpr (Dims == 3)
      step *= place.whole[2];
    return {place.first + index * step, &place.whole[1]};
  }

  iterator begin() const noexcept { return at<iterator>(0); }
  iterator end() const noexcept { return at<iterator>(size()); }
  const_iterator cbegin() const noexcept { return at<const_iterator>(0); }
  const_iterator cend() const noexcept { return at<const_iterator>(size()); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  friend bool operator==(const Accessor &a, const Accessor &b) noexcept {
    return a.sinter_place() == b.sinter_place();
  }
  friend bool operator!=(const Accessor &a, const Accessor &b) noexcept { return !(a == b); }

  template <class Property> bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && (bits & gives_up) != 0;
  }
  template <class Property> Property get_property() const {
    if (!has_property<Property>())
      raise(errc::invalid, "the accessor does not have the property");
    return {};
  }

  // For use by the other headers.
  std::uint32_t sinter_access() const noexcept { return bits & ~gives_up; }
  const accessor_place<Type, Dimensions> &sinter_place() const noexcept { return place; }
  std::size_t sinter_hash() const noexcept {
    return reinterpret_cast<std::size_t>(place.owner) * 31 + reinterpret_cast<std::size_t>(place.first) + size();
  }

  // Address of the first element of the buffer, or of the sub-buffer.
  Type *sinter_origin() const noexcept { return place.first - linear(place.start, place.whole); }

protected:
  accessor_interface() noexcept = default;
  explicit accessor_interface(const accessor_place<Type, Dimensions> &where) noexcept : place(where) {}

  void set_bits(const property_list &list) {
    const bool has_no_init = list.has_property<property::no_init>();
    if (has_no_init && Mode == access_mode::read)
      raise(errc::invalid, "an accessor that only reads cannot have property::no_init");
    bits = access_bits(Mode, has_no_init) | (has_no_init ? gives_up : 0u);
  }

  accessor_place<Type, Dimensions> place;
  // Bits of sinter_access, and if the accessor has property::no_init.
  std::uint32_t bits = SINTER_ACCESS_READ;

private:
  static constexpr std::uint32_t gives_up = 1u << 31;

  template <class Iterator> Iterator at(std::size_t index) const noexcept {
    if constexpr (std::is_pointer_v<Iterator>)
      return place.first + index;
    else
      return Iterator(place.first, place.whole, place.part, index);
  }
};

// The same place with elements of another constness.
template <class To, class From, int Dimensions>
accessor_place<To, Dimensions> as_place_of(const accessor_place<From, Dimensions> &from) noexcept {
  accessor_place<To, Dimensions> to;
  to.first = const_cast<std::remove_const_t<From> *>(from.first);
  to.owner = from.owner;
  to.whole = from.whole;
  to.part = from.part;
  to.start = from.start;
  to.base = from.base;
  return to;
}

// Elements of an accessor: const if it only reads.
template <class Type, access_mode Mode>
using accessed = std::conditional_t<Mode == access_mode::read, const Type, Type>;

} // namespace sycl::detail

#endif
