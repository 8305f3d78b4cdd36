// Declarations of the device functions that the headers of HIP call.
#ifndef HIP_DETAIL_BUILTINS_HPP
#define HIP_DETAIL_BUILTINS_HPP

#include "attributes.hpp"

#ifndef SINTER_LOCAL
#define SINTER_LOCAL __attribute__((address_space(3)))
#endif
#ifndef SINTER_CONVERGENT
#define SINTER_CONVERGENT __attribute__((convergent))
#endif
#ifndef SINTER_CONST
#define SINTER_CONST __attribute__((const))
#endif

#include "../../sycl/detail/declarations.hpp"

extern "C" {
extern const int __acpp_sscp_is_device, __acpp_sscp_is_host;
SINTER_CONST int __acpp_sscp_jit_reflect_compiler_backend() noexcept;
}
// Two of its results.
static constexpr int sinter_hip_spirv_compiler = 0, sinter_hip_ptx_compiler = 1;

#endif
