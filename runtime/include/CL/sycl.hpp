// The header and the namespace of SYCL 1.2.1, for programs that still use them.
#ifndef CL_SYCL_HPP
#define CL_SYCL_HPP

#include "names.hpp"

namespace cl {
namespace sycl = ::sycl;
} // namespace cl

#endif
