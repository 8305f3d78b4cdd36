// The kernels of a program by their names: a record for each kernel, in a section of the program.
//
// The linker keeps one record for each kernel and makes an array of them, so that the names of
// kernels cost nothing when a program starts.
#ifndef SYCL_DETAIL_KERNEL_RECORDS_HPP
#define SYCL_DETAIL_KERNEL_RECORDS_HPP

#include "../../sinter/sinter.h"
#include "config.hpp"

namespace sycl::detail {

struct kernel_record {
  const void *name; // address of the tag of the program's name for the kernel
  const sinter_kernel *(*descriptor)();
};
struct constant_record {
  const void *constant;
};

} // namespace sycl::detail

// The linker defines them if the program has such records.
extern "C" {
extern const sycl::detail::kernel_record __start_sinter_kernel_names[] __attribute__((weak, visibility("hidden")));
extern const sycl::detail::kernel_record __stop_sinter_kernel_names[] __attribute__((weak, visibility("hidden")));
extern const sycl::detail::constant_record __start_sinter_constants[] __attribute__((weak, visibility("hidden")));
extern const sycl::detail::constant_record __stop_sinter_constants[] __attribute__((weak, visibility("hidden")));
}

namespace sycl::detail {

#define SINTER_RECORD(name) __attribute__((section(name), used, retain))

template <class Name> struct kernel_name_tag { static constexpr char value = 0; };

template <class Name, class Kernel, const sinter_kernel *(*Descriptor)()> struct kernel_registration {
  SINTER_RECORD("sinter_kernel_names")
  static inline const kernel_record record = {&kernel_name_tag<Name>::value, Descriptor};
};
template <auto &Id> struct constant_registration {
  SINTER_RECORD("sinter_constants") static inline const constant_record record = {&Id};
};

inline bool has_constants() noexcept { return +__start_sinter_constants != +__stop_sinter_constants; }

// The record of a name; null if no kernel has it.
inline const kernel_record *find_kernel(const void *name) noexcept {
  for (const kernel_record *one = __start_sinter_kernel_names; one != __stop_sinter_kernel_names; ++one)
    if (one->name == name)
      return one;
  return nullptr;
}

} // namespace sycl::detail

#endif
