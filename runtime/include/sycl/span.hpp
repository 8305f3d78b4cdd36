// span: a view of elements that lie one behind the other. The part of std::span (C++20) that SYCL uses.
#ifndef SYCL_SPAN_HPP
#define SYCL_SPAN_HPP

#include "detail/config.hpp"

namespace sycl {

inline constexpr std::size_t dynamic_extent = static_cast<std::size_t>(-1);

template <class T, std::size_t Extent = dynamic_extent> class span {
public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using pointer = T *;
  using reference = T &;
  using iterator = T *;
  static constexpr std::size_t extent = Extent;

  template <std::size_t E = Extent, detail::enable_if<E == 0 || E == dynamic_extent> = 0> constexpr span() noexcept {}
  constexpr span(T *start, std::size_t size) noexcept : first(start), count(size) {}
  constexpr span(T *start, T *end) noexcept : first(start), count(static_cast<std::size_t>(end - start)) {}
  template <std::size_t Size, detail::enable_if<Extent == Size || Extent == dynamic_extent> = 0>
  constexpr span(detail::no_deduction<T> (&array)[Size]) noexcept : first(array), count(Size) {}
  template <class Container,
            detail::enable_if<std::is_convertible_v<decltype(std::declval<Container &>().data()), T *> &&
                              std::is_integral_v<decltype(std::declval<Container &>().size())>> = 0>
  constexpr span(Container &&container) noexcept : first(container.data()), count(container.size()) {}

  constexpr T *data() const noexcept { return first; }
  constexpr std::size_t size() const noexcept { return count; }
  constexpr std::size_t size_bytes() const noexcept { return count * sizeof(T); }
  constexpr bool empty() const noexcept { return count == 0; }
  constexpr T &operator[](std::size_t index) const noexcept { return first[index]; }
  constexpr T &front() const noexcept { return first[0]; }
  constexpr T &back() const noexcept { return first[count - 1]; }
  constexpr T *begin() const noexcept { return first; }
  constexpr T *end() const noexcept { return first + count; }
  constexpr span<T> subspan(std::size_t offset, std::size_t size = dynamic_extent) const noexcept {
    return {first + offset, size == dynamic_extent ? count - offset : size};
  }

private:
  T *first = nullptr;
  std::size_t count = 0;
};

} // namespace sycl

#endif
