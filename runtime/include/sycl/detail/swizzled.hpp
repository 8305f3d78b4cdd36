// Views of some elements of a vec, in any order: `v.xy()`, `v.lo()`, `v.swizzle<3, 0>()`.
//
// A view refers to its vec, which must live longer. It is used like a vec of its elements: it
// converts to one, has its operators and members, and views of itself. *Invariant:* a view of a
// view refers to the vec itself. It can be assigned to if the vec is not const and no element
// occurs twice; all elements are read before the first one is written.
#ifndef SYCL_DETAIL_SWIZZLED_HPP
#define SYCL_DETAIL_SWIZZLED_HPP

#include "element_operators.hpp"
#include "rounding.hpp"
#include "simple_swizzles.hpp"

#include <utility>

namespace sycl {

namespace detail {

template <int... Index> constexpr bool are_distinct() noexcept {
  constexpr int indices[] = {Index...};
  for (std::size_t i = 0; i < sizeof...(Index); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (indices[i] == indices[j])
        return false;
  return true;
}
// True if vec has this number of elements.
constexpr bool is_length(std::size_t count) noexcept {
  return (count >= 1 && count <= 4) || count == 8 || count == 16;
}

// Half of the elements, Step apart from Start on. Three elements count as four, of which the last
// one is unspecified.
template <int Start, int Step, class Elements, int... Number>
constexpr auto half_of(Elements &elements, std::integer_sequence<int, Number...>) noexcept {
  return elements.template sinter_view<(Start + Step * Number)...>();
}
template <int Start, int Step, int Count, class Elements> constexpr auto half_of(Elements &elements) noexcept {
  static_assert(Count > 1, "a vec of one element has no halves");
  return half_of<Start, Step>(elements, std::make_integer_sequence<int, (Count + 1) / 2>());
}

// The names of elements.
#define SINTER_ELEMENTS(X)                                                                                           \
  X(x, 0) X(y, 1) X(z, 2) X(w, 3) X(r, 0) X(g, 1) X(b, 2) X(a, 3) X(s0, 0) X(s1, 1) X(s2, 2) X(s3, 3) X(s4, 4)       \
  X(s5, 5) X(s6, 6) X(s7, 7) X(s8, 8) X(s9, 9) X(sA, 10) X(sB, 11) X(sC, 12) X(sD, 13) X(sE, 14) X(sF, 15)
// The halves of Count elements.
#define SINTER_HALVES(qualifier)                                                                                     \
  constexpr auto lo() qualifier noexcept { return detail::half_of<0, 1, Count>(*this); }                             \
  constexpr auto hi() qualifier noexcept { return detail::half_of<(Count + 1) / 2, 1, Count>(*this); }               \
  constexpr auto even() qualifier noexcept { return detail::half_of<0, 2, Count>(*this); }                           \
  constexpr auto odd() qualifier noexcept { return detail::half_of<1, 2, Count>(*this); }

template <class Whole, int... Index>
class swizzled : public element_wise::operators<swizzled<Whole, Index...>>,
                 public simple_swizzles<swizzled<Whole, Index...>, sizeof...(Index)> {
  static constexpr int Count = sizeof...(Index);
  // One more index for the fourth of three elements.
  static constexpr int indices[Count + 1] = {Index..., 0};
  struct nothing {};

public:
  using element_type = typename Whole::value_type;
  using value_type = element_type;
  static constexpr bool sinter_is_writable = !std::is_const_v<Whole> && are_distinct<Index...>();

private:
  using plain = vec<value_type, Count>;
  using reference = std::conditional_t<std::is_const_v<Whole>, const value_type &, value_type &>;

public:
  explicit constexpr swizzled(Whole &all) noexcept : whole(all) {}
  swizzled(const swizzled &) = default;

  // The copy assignment if the view is writable.
  constexpr const swizzled &
  operator=(std::conditional_t<sinter_is_writable, const swizzled &, nothing> other) const noexcept {
    return assign(plain(other));
  }
  template <class Source, enable_if<sinter_is_writable && element_wise::widens<plain, Source>> = 0>
  constexpr const swizzled &operator=(const Source &source) const noexcept {
    return assign(element_wise::widen<plain>(source));
  }

  // A view of one element is also a scalar.
  constexpr operator single<value_type, Count>() const noexcept { return (*this)[0]; }

  static constexpr std::size_t byte_size() noexcept { return plain::byte_size(); }
  static constexpr std::size_t size() noexcept { return Count; }
  static constexpr std::size_t get_size() noexcept { return byte_size(); }
  static constexpr std::size_t get_count() noexcept { return size(); }

  constexpr reference operator[](int index) const noexcept { return whole[indices[index]]; }
#define SINTER_ELEMENT(name, index)                                                                                  \
  constexpr reference name() const noexcept {                                                                        \
    static_assert(index < Count, "the swizzle has no such element");                                                 \
    return (*this)[index];                                                                                           \
  }
  SINTER_ELEMENTS(SINTER_ELEMENT)
#undef SINTER_ELEMENT

  template <int... Inner, enable_if<is_length(sizeof...(Inner)) && (... && (Inner >= 0 && Inner < Count))> = 0>
  constexpr auto swizzle() const noexcept {
    return sinter_view<Inner...>();
  }
  SINTER_HALVES(const)

  template <class To, rounding_mode Mode = rounding_mode::automatic> constexpr vec<To, Count> convert() const noexcept {
    return plain(*this).template convert<To, Mode>();
  }
  template <class Other> constexpr Other as() const noexcept { return plain(*this).template as<Other>(); }
  template <class Pointer, enable_if<sinter_is_writable && !std::is_void_v<Pointer>> = 0>
  constexpr void load(std::size_t offset, Pointer from) const noexcept {
    plain loaded;
    loaded.load(offset, from);
    assign(loaded);
  }
  template <class Pointer> constexpr void store(std::size_t offset, Pointer to) const noexcept {
    plain(*this).store(offset, to);
  }

  // The vec is copied as a whole, so that the optimiser knows its alignment.
  constexpr plain sinter_value() const noexcept {
    const std::remove_const_t<Whole> all = whole;
    plain result;
    int next = 0;
    ((result[next++] = all[Index]), ...);
    return result;
  }
  template <int... Inner> constexpr auto sinter_view() const noexcept {
    return swizzled<Whole, indices[Inner]...>(whole);
  }

private:
  // By value: the source may be the vec itself.
  constexpr const swizzled &assign(const plain from) const noexcept {
    int next = 0;
    ((whole[Index] = from[next++]), ...);
    return *this;
  }

  Whole &whole;
};

} // namespace detail
} // namespace sycl

#endif
