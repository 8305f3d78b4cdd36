// Printing in kernels: the C library's `printf`, under the name of the extension
// sycl_ext_oneapi_printf.
#ifndef SYCL_PRINTF_HPP
#define SYCL_PRINTF_HPP

#include "../detail/config.hpp"

#include <cstdio>

namespace sycl {
namespace detail {

// A half or bfloat16 is printed as a float is: as a double.
template <class Type> constexpr auto printed(const Type &x) noexcept {
  if constexpr (is_short_float<Type>)
    return static_cast<double>(x);
  else
    return x;
}

} // namespace detail

namespace ext::oneapi::experimental {

// Some devices require a constant format, so the call must be inlined into the caller.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
template <class... Arguments>
__attribute__((always_inline)) inline int printf(const char *format, Arguments... arguments) {
  return ::printf(format, sycl::detail::printed(arguments)...);
}
#pragma clang diagnostic pop

} // namespace ext::oneapi::experimental
} // namespace sycl

#endif
