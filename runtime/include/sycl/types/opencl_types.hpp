// OpenCL's scalar types, which SYCL 1.2.1 had in `sycl` and SYCL 2020 has in `sycl::opencl`.
#ifndef SYCL_OPENCL_TYPES_HPP
#define SYCL_OPENCL_TYPES_HPP

#include <cstdint>

namespace sycl {
namespace opencl {
using cl_bool = std::uint32_t;
using cl_char = std::int8_t;
using cl_uchar = std::uint8_t;
using cl_short = std::int16_t;
using cl_ushort = std::uint16_t;
using cl_int = std::int32_t;
using cl_uint = std::uint32_t;
using cl_long = std::int64_t;
using cl_ulong = std::uint64_t;
using cl_float = float;
using cl_double = double;
} // namespace opencl

using opencl::cl_bool;
using opencl::cl_char;
using opencl::cl_double;
using opencl::cl_float;
using opencl::cl_int;
using opencl::cl_long;
using opencl::cl_short;
using opencl::cl_uchar;
using opencl::cl_uint;
using opencl::cl_ulong;
using opencl::cl_ushort;
} // namespace sycl

#endif
