// Position of the work-item in the launch. Every number is below 2^31.
#include "../generic/types.hpp"

#define AXES(NAME, REGISTER)                                                                                           \
  SSCP_BUILTIN u64 __acpp_sscp_get_##NAME##_x() { return (u32)__nvvm_read_ptx_sreg_##REGISTER##_x(); }                  \
  SSCP_BUILTIN u64 __acpp_sscp_get_##NAME##_y() { return (u32)__nvvm_read_ptx_sreg_##REGISTER##_y(); }                  \
  SSCP_BUILTIN u64 __acpp_sscp_get_##NAME##_z() { return (u32)__nvvm_read_ptx_sreg_##REGISTER##_z(); }

AXES(local_id, tid)
AXES(group_id, ctaid)
AXES(local_size, ntid)
AXES(num_groups, nctaid)
