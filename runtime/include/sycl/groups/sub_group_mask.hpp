// sub_group_mask and group_ballot: one bit for each work-item of a sub-group, as in
// sycl_ext_oneapi_sub_group_mask.
#ifndef SYCL_SUB_GROUP_MASK_HPP
#define SYCL_SUB_GROUP_MASK_HPP

#include "group_algorithms.hpp"

#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK 1

namespace sycl::ext::oneapi {

class sub_group_mask;
template <class Group> sub_group_mask group_ballot(Group group, bool predicate = true);

class sub_group_mask {
public:
  static constexpr std::size_t max_bits = 64;

  // A bit that can be assigned.
  class reference {
  public:
    reference &operator=(bool value) noexcept {
      mask.set(position, value);
      return *this;
    }
    reference &operator=(const reference &other) noexcept { return *this = static_cast<bool>(other); }
    reference(const reference &) noexcept = default;
    bool operator~() const noexcept { return !mask.test(position); }
    operator bool() const noexcept { return mask.test(position); }
    reference &flip() noexcept {
      mask.flip(position);
      return *this;
    }

  private:
    friend class sub_group_mask;
    reference(sub_group_mask &whole, id<1> place) noexcept : mask(whole), position(place) {}
    sub_group_mask &mask;
    id<1> position;
  };

  sub_group_mask() noexcept : sub_group_mask(0, max_bits) {}
  // The lowest bits come first.
  template <class Type, detail::enable_if<std::is_integral_v<Type>> = 0>
  explicit sub_group_mask(Type low_bits) noexcept : sub_group_mask(static_cast<std::uint64_t>(low_bits), max_bits) {}

  reference operator[](id<1> position) noexcept { return {*this, position}; }
  bool operator[](id<1> position) const noexcept { return test(position); }
  bool test(id<1> position) const noexcept { return (bits >> position[0] & 1) != 0; }
  bool all() const noexcept { return bits == every(); }
  bool any() const noexcept { return bits != 0; }
  bool none() const noexcept { return bits == 0; }
  std::uint32_t count() const noexcept { return static_cast<std::uint32_t>(__builtin_popcountll(bits)); }
  std::uint32_t size() const noexcept { return width; }
  // The size if no bit is set.
  id<1> find_low() const noexcept {
    return bits == 0 ? width : static_cast<std::size_t>(__builtin_ctzll(bits));
  }
  id<1> find_high() const noexcept {
    return bits == 0 ? width : 63 - static_cast<std::size_t>(__builtin_clzll(bits));
  }

  template <class Type, detail::enable_if<std::is_integral_v<Type>> = 0>
  void insert_bits(Type value, id<1> position = 0) noexcept {
    const std::uint64_t field = field_of(sizeof(Type)) << position[0];
    bits = ((bits & ~field) | (static_cast<std::uint64_t>(value) << position[0] & field)) & every();
  }
  template <class Type, std::size_t Count>
  void insert_bits(const marray<Type, Count> &value, id<1> position = 0) noexcept {
    for (std::size_t i = 0; i < Count && position[0] + i * 8 * sizeof(Type) < width; ++i)
      insert_bits(value[i], position[0] + i * 8 * sizeof(Type));
  }
  template <class Type, detail::enable_if<std::is_integral_v<Type>> = 0>
  void extract_bits(Type &value, id<1> position = 0) const noexcept {
    value = position[0] < width ? static_cast<Type>(bits >> position[0] & field_of(sizeof(Type))) : Type(0);
  }
  template <class Type, std::size_t Count>
  void extract_bits(marray<Type, Count> &value, id<1> position = 0) const noexcept {
    for (std::size_t i = 0; i < Count; ++i)
      extract_bits(value[i], position[0] + i * 8 * sizeof(Type));
  }

  void set() noexcept { bits = every(); }
  void set(id<1> position, bool value = true) noexcept {
    const std::uint64_t bit = std::uint64_t(1) << position[0];
    bits = value ? (bits | bit) & every() : bits & ~bit;
  }
  void reset() noexcept { bits = 0; }
  void reset(id<1> position) noexcept { set(position, false); }
  void reset_low() noexcept { bits &= bits - 1; }
  void reset_high() noexcept {
    if (bits != 0)
      reset(find_high());
  }
  void flip() noexcept { bits = ~bits & every(); }
  void flip(id<1> position) noexcept { set(position, !test(position)); }

  sub_group_mask &operator&=(const sub_group_mask &other) noexcept { return *this = {bits & other.bits, width}; }
  sub_group_mask &operator|=(const sub_group_mask &other) noexcept { return *this = {bits | other.bits, width}; }
  sub_group_mask &operator^=(const sub_group_mask &other) noexcept { return *this = {bits ^ other.bits, width}; }
  sub_group_mask &operator<<=(std::size_t places) noexcept {
    return *this = {places < max_bits ? bits << places : 0, width};
  }
  sub_group_mask &operator>>=(std::size_t places) noexcept {
    return *this = {places < max_bits ? bits >> places : 0, width};
  }
  sub_group_mask operator~() const noexcept { return {~bits, width}; }
  sub_group_mask operator<<(std::size_t places) const noexcept { return sub_group_mask(*this) <<= places; }
  sub_group_mask operator>>(std::size_t places) const noexcept { return sub_group_mask(*this) >>= places; }
  friend sub_group_mask operator&(sub_group_mask a, const sub_group_mask &b) noexcept { return a &= b; }
  friend sub_group_mask operator|(sub_group_mask a, const sub_group_mask &b) noexcept { return a |= b; }
  friend sub_group_mask operator^(sub_group_mask a, const sub_group_mask &b) noexcept { return a ^= b; }
  friend bool operator==(const sub_group_mask &a, const sub_group_mask &b) noexcept { return a.bits == b.bits; }
  friend bool operator!=(const sub_group_mask &a, const sub_group_mask &b) noexcept { return a.bits != b.bits; }

private:
  template <class Group> friend sub_group_mask group_ballot(Group, bool);

  static constexpr std::uint64_t field_of(std::size_t bytes) noexcept {
    return bytes >= 8 ? ~std::uint64_t(0) : (std::uint64_t(1) << 8 * bytes) - 1;
  }
  std::uint64_t every() const noexcept { return width >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1; }
  sub_group_mask(std::uint64_t value, std::uint32_t size_in_bits) noexcept : bits(value), width(size_in_bits) {
    bits &= every();
  }

  std::uint64_t bits;
  std::uint32_t width;
};

// The work-items of the sub-group for which the predicate holds.
template <class Group> sub_group_mask group_ballot(Group group, bool predicate) {
  static_assert(std::is_same_v<Group, sub_group>, "group_ballot takes a sub-group");
  const std::uint32_t self = group.get_local_linear_id(), width = group.get_max_local_range()[0];
  // One half of the width at a time: devices combine 32 bits faster.
  const auto half = [&](std::uint32_t first) {
    const std::uint32_t bit = predicate && self - first < 32 ? std::uint32_t(1) << (self - first) : 0;
    return static_cast<std::uint64_t>(reduce_over_group(group, bit, sycl::bit_or<std::uint32_t>()));
  };
  std::uint64_t bits = half(0);
  if (width > 32)
    bits |= half(32) << 32;
  return {bits, width};
}

} // namespace sycl::ext::oneapi

#endif
