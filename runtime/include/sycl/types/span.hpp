// span: a view of contiguous elements. The part of std::span (C++20) that SYCL uses.
#ifndef SYCL_SPAN_HPP
#define SYCL_SPAN_HPP

#include "../detail/config.hpp"

namespace sycl {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class Type, std::size_t Extent = dynamic_extent> class span {
public:
  using element_type = Type;
  using value_type = std::remove_cv_t<Type>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = Type *;
  using reference = Type &;
  using iterator = Type *;
  static constexpr std::size_t extent = Extent;

  template <std::size_t Bound = Extent, detail::enable_if<Bound == 0 || Bound == dynamic_extent> = 0>
  constexpr span() noexcept {}
  constexpr span(Type *start, std::size_t size) noexcept : first(start), count(size) {}
  constexpr span(Type *start, Type *end) noexcept : first(start), count(static_cast<std::size_t>(end - start)) {}
  template <std::size_t Size, detail::enable_if<Extent == Size || Extent == dynamic_extent> = 0>
  constexpr span(detail::no_deduction<Type> (&array)[Size]) noexcept : first(array), count(Size) {}
  template <class Container,
            detail::enable_if<std::is_convertible_v<decltype(std::declval<Container &>().data()), Type *> &&
                              std::is_integral_v<decltype(std::declval<Container &>().size())>> = 0>
  constexpr span(Container &&container) noexcept : first(container.data()), count(container.size()) {}

  constexpr Type *data() const noexcept { return first; }
  constexpr std::size_t size() const noexcept { return count; }
  constexpr std::size_t size_bytes() const noexcept { return count * sizeof(Type); }
  constexpr bool empty() const noexcept { return count == 0; }
  constexpr Type &operator[](std::size_t index) const noexcept { return first[index]; }
  constexpr Type &front() const noexcept { return first[0]; }
  constexpr Type &back() const noexcept { return first[count - 1]; }
  constexpr Type *begin() const noexcept { return first; }
  constexpr Type *end() const noexcept { return first + count; }
  constexpr span<Type> subspan(std::size_t offset, std::size_t size = dynamic_extent) const noexcept {
    return {first + offset, size == dynamic_extent ? count - offset : size};
  }

private:
  Type *first = nullptr;
  std::size_t count = 0;
};

} // namespace sycl

#endif
