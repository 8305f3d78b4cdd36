// Exceptions, error codes and the asynchronous error handler.
//
// Every failure of the runtime becomes a sycl::exception here: the status of the C interface gives
// the error code, `sinter_last_error` the message, which names file, kernel and remedy.
#ifndef SYCL_EXCEPTION_HPP
#define SYCL_EXCEPTION_HPP

#include "../../sinter/sinter.h"
#include "../detail/config.hpp"
#include "../detail/shared.hpp"

#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#if __has_include(<bits/std_function.h>)
#include <bits/std_function.h> // in libstdc++, a part of <functional>
#else
#include <functional>
#endif

namespace sycl {

enum class errc : unsigned int {
  success = 0,
  runtime = 1,
  kernel = 2,
  accessor = 3,
  nd_range = 4,
  event = 5,
  kernel_argument = 6,
  build = 7,
  invalid = 8,
  memory_allocation = 9,
  platform = 10,
  profiling = 11,
  feature_not_supported = 12,
  kernel_not_supported = 13,
  backend_mismatch = 14
};

namespace detail {

inline const char *describe(errc code) noexcept {
  switch (code) {
  case errc::success: return "success";
  case errc::runtime: return "runtime error";
  case errc::kernel: return "kernel error";
  case errc::accessor: return "accessor error";
  case errc::nd_range: return "invalid nd_range";
  case errc::event: return "event error";
  case errc::kernel_argument: return "invalid kernel argument";
  case errc::build: return "the kernel could not be compiled for the device";
  case errc::invalid: return "invalid argument or operation";
  case errc::memory_allocation: return "out of memory";
  case errc::platform: return "platform error";
  case errc::profiling: return "profiling error";
  case errc::feature_not_supported: return "feature not supported by the device";
  case errc::kernel_not_supported: return "kernel not supported by the device";
  case errc::backend_mismatch: return "backend mismatch";
  }
  return "unknown error";
}

class __attribute__((visibility("default"))) category final : public std::error_category {
public:
  const char *name() const noexcept override { return "sycl"; }
  std::string message(int code) const override { return describe(static_cast<errc>(code)); }
};

} // namespace detail

// Visible also with -fvisibility=hidden: categories are compared by address, and exceptions by the
// address of their type information, which the libraries of a program must share.
__attribute__((visibility("default"))) inline const std::error_category &sycl_category() noexcept {
  static const detail::category category;
  return category;
}

inline std::error_code make_error_code(errc code) noexcept { return {static_cast<int>(code), sycl_category()}; }

} // namespace sycl

template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};

namespace sycl {

// Copies share the message, so that copying cannot fail.
class __attribute__((visibility("default"))) exception : public virtual std::exception {
public:
  exception(std::error_code code, const char *what) : error(code), text(what) {}
  exception(std::error_code code, const std::string &what) : error(code), text(what) {}
  exception(std::error_code code) : exception(code, code.message()) {}
  exception(int code, const std::error_category &category) : exception(std::error_code(code, category)) {}
  exception(int code, const std::error_category &category, const char *what)
      : exception(std::error_code(code, category), what) {}
  exception(int code, const std::error_category &category, const std::string &what)
      : exception(std::error_code(code, category), what) {}
  exception(const context &where, std::error_code code) : exception(where, code, code.message()) {}
  exception(const context &where, std::error_code code, const char *what)
      : exception(where, code, std::string(what)) {}
  exception(const context &where, std::error_code code, const std::string &what);
  exception(const context &where, int code, const std::error_category &category)
      : exception(where, std::error_code(code, category)) {}
  exception(const context &where, int code, const std::error_category &category, const char *what)
      : exception(where, std::error_code(code, category), what) {}
  exception(const context &where, int code, const std::error_category &category, const std::string &what)
      : exception(where, std::error_code(code, category), what) {}

  const std::error_code &code() const noexcept { return error; }
  const std::error_category &category() const noexcept { return error.category(); }
  const char *what() const noexcept override { return text.what(); }
  bool has_context() const noexcept { return owner != nullptr; }
  context get_context() const;

private:
  std::error_code error;
  std::runtime_error text;
  std::shared_ptr<const context> owner;
};

class exception_list {
public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<value_type>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<value_type> errors) : list(std::move(errors)) {}

  size_type size() const { return list.size(); }
  iterator begin() const { return list.begin(); }
  iterator end() const { return list.end(); }

private:
  std::vector<value_type> list;
};

using async_handler = std::function<void(exception_list)>;

namespace detail {

inline errc code_of(sinter_status status) noexcept {
  switch (status) {
  case SINTER_SUCCESS: return errc::success;
  case SINTER_ERROR_INVALID_ARGUMENT: return errc::invalid;
  case SINTER_ERROR_OUT_OF_MEMORY: return errc::memory_allocation;
  case SINTER_ERROR_KERNEL: return errc::kernel;
  case SINTER_ERROR_TRANSLATION: return errc::build;
  case SINTER_ERROR_LAUNCH: return errc::nd_range;
  case SINTER_ERROR_UNSUPPORTED: return errc::feature_not_supported;
  default: return errc::runtime;
  }
}

inline exception failure(sinter_status status) {
  const char *text = sinter_last_error();
  return exception(make_error_code(code_of(status)), *text ? text : sinter_status_name(status));
}

[[noreturn]] __attribute__((noinline, cold)) inline void raise(sinter_status status) { throw failure(status); }

[[noreturn]] __attribute__((noinline, cold)) inline void raise(errc code, const std::string &what) {
  throw exception(make_error_code(code), what);
}

inline void check(sinter_status status) {
  if (__builtin_expect(status != SINTER_SUCCESS, 0))
    raise(status);
}

// A feature that the device lacks is one that the kernel needs.
inline void check_launch(sinter_status status) {
  if (__builtin_expect(status == SINTER_ERROR_UNSUPPORTED, 0))
    raise(errc::kernel_not_supported, sinter_last_error());
  check(status);
}

} // namespace detail
} // namespace sycl

#endif
