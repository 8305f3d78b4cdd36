; SPIR-V has no bfloat: it is computed in float and moved as an integer.
; kernel: k
; target: spirv:opencl
; CHECK-NOT: OpCapability Float16
; CHECK: OpFMul
; CHECK: OpShiftRightLogical
%pair = type { bfloat, [2 x bfloat] }
define void @k(ptr %p, i64 %i) {
  %kept = alloca [2 x bfloat]
  %at = getelementptr %pair, ptr %p, i64 %i, i32 1, i64 1
  %a = load bfloat, ptr %at
  %b = fmul bfloat %a, %a
  %c = getelementptr bfloat, ptr %kept, i64 %i
  store volatile bfloat %b, ptr %c
  %d = load volatile bfloat, ptr %c
  %e = fcmp olt bfloat %d, %a
  %f = select i1 %e, bfloat %d, bfloat %a
  store bfloat %f, ptr %p
  ret void
}
