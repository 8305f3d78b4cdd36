// bit_cast: reinterprets the bytes of a value as another type of the same size.
#ifndef SYCL_BIT_CAST_HPP
#define SYCL_BIT_CAST_HPP

#include "../detail/config.hpp"

namespace sycl {

template <class To, class From,
          detail::enable_if<sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                            std::is_trivially_copyable_v<From>> = 0>
constexpr To bit_cast(const From &from) noexcept {
  return __builtin_bit_cast(To, from);
}

} // namespace sycl

#endif
