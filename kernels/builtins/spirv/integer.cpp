// Integer and relational functions: LLVM and SPIR-V have an instruction for each, shaders none for
// the test for normal numbers.
#include "features.hpp"
#include "instructions.hpp"

#include "../generic/integer.hpp"

namespace spirv {

bool IsNormal(f32) SPIRV_OP(IsNormal, "f32") __attribute__((const));
bool IsNormal(f64) SPIRV_OP(IsNormal, "f64") __attribute__((const));

} // namespace spirv

SSCP_BUILTIN i32 __acpp_sscp_isnormal_f32(f32 x) {
  return __sinter_spirv_is_shader() ? __builtin_isnormal(x) : spirv::IsNormal(x);
}
SSCP_BUILTIN i32 __acpp_sscp_isnormal_f64(f64 x) {
  return __sinter_spirv_is_shader() ? __builtin_isnormal(x) : spirv::IsNormal(x);
}
