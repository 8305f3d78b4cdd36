; A constant of the program's own has no value that the target knows.
; kernel: k
; ERROR: the IR constant `__acpp_sscp_s2_ir_constant<mine, int>::get(int)::__acpp_ir_constant_v` has no value
@_ZZN26__acpp_sscp_s2_ir_constantIL_ZL4mineEiE3getEiE20__acpp_ir_constant_v = linkonce_odr global i32 0, align 4
define void @k(ptr %p) {
  %b = load i32, ptr @_ZZN26__acpp_sscp_s2_ir_constantIL_ZL4mineEiE3getEiE20__acpp_ir_constant_v
  store i32 %b, ptr %p
  ret void
}
