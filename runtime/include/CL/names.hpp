// Names of SYCL 1.2.1 that SYCL 2020 removed and that stand for something it has.
//
// The vectors of OpenCL's types were in DPC++ and ComputeCpp.
//
// All exceptions of SYCL 2020 have one class, with an error code: a handler for one of the former
// classes catches every exception of SYCL.
#ifndef CL_NAMES_HPP
#define CL_NAMES_HPP

#include "../sycl/sycl.hpp"

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sycl {

template <class Type, class Allocator = std::allocator<Type>> using vector_class = std::vector<Type, Allocator>;
using string_class = std::string;
template <class Result, class... Arguments> using function_class = std::function<Result(Arguments...)>;
using mutex_class = std::mutex;
template <class Type, class Deleter = std::default_delete<Type>>
using unique_ptr_class = std::unique_ptr<Type, Deleter>;
template <class Type> using shared_ptr_class = std::shared_ptr<Type>;
template <class Type> using weak_ptr_class = std::weak_ptr<Type>;
template <class Type> using hash_class = std::hash<Type>;
using exception_ptr_class = std::exception_ptr;
using exception_ptr = std::exception_ptr;

using runtime_error = exception;
using kernel_error = exception;
using accessor_error = exception;
using nd_range_error = exception;
using event_error = exception;
using invalid_parameter_error = exception;
using device_error = exception;
using compile_program_error = exception;
using link_program_error = exception;
using invalid_object_error = exception;
using memory_allocation_error = exception;
using platform_error = exception;
using profiling_error = exception;
using feature_not_supported = exception;

#define SINTER_VECTORS_OF(Type)                                                                                        \
  using Type##2 = vec<Type, 2>;                                                                                        \
  using Type##3 = vec<Type, 3>;                                                                                        \
  using Type##4 = vec<Type, 4>;                                                                                        \
  using Type##8 = vec<Type, 8>;                                                                                        \
  using Type##16 = vec<Type, 16>;
SINTER_VECTORS_OF(cl_char)
SINTER_VECTORS_OF(cl_uchar)
SINTER_VECTORS_OF(cl_short)
SINTER_VECTORS_OF(cl_ushort)
SINTER_VECTORS_OF(cl_int)
SINTER_VECTORS_OF(cl_uint)
SINTER_VECTORS_OF(cl_long)
SINTER_VECTORS_OF(cl_ulong)
SINTER_VECTORS_OF(cl_float)
SINTER_VECTORS_OF(cl_double)
#undef SINTER_VECTORS_OF

} // namespace sycl

#endif
