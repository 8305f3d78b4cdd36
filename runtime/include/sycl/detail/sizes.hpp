// Overflow-checked products and sums of all sizes that a program passes.
#ifndef SYCL_DETAIL_SIZES_HPP
#define SYCL_DETAIL_SIZES_HPP

#include "../runtime/exception.hpp"
#include "../index/range.hpp"

namespace sycl::detail {

[[noreturn]] __attribute__((noinline, cold)) inline void too_large(errc code, const char *what, std::size_t a,
                                                                   const char *operation, std::size_t b) {
  raise(code, std::string(what) + " of " + std::to_string(a) + operation + std::to_string(b) +
                  " exceeds the address space");
}

// False on overflow.
inline bool multiply(std::size_t a, std::size_t b, std::size_t &result) noexcept {
  return !__builtin_mul_overflow(a, b, &result);
}
inline std::size_t product(errc code, const char *what, std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (!multiply(a, b, result))
    too_large(code, what, a, " * ", b);
  return result;
}
inline std::size_t sum(errc code, const char *what, std::size_t a, std::size_t b) {
  std::size_t result = 0;
  if (__builtin_add_overflow(a, b, &result))
    too_large(code, what, a, " + ", b);
  return result;
}

// The product of all sizes. A 0 makes it 0, however large the others are.
template <int Dimensions>
std::size_t product(errc code, const char *what, const range<Dimensions> &size, std::size_t unit = 1) {
  for (int d = 0; d < Dimensions; ++d)
    if (size[d] == 0)
      return 0;
  for (int d = 0; d < Dimensions; ++d)
    unit = product(code, what, unit, size[d]);
  return unit;
}

template <class Type> std::size_t bytes_of(std::size_t count) {
  return product(errc::invalid, "a number of bytes", count, sizeof(Type));
}

} // namespace sycl::detail

#endif
