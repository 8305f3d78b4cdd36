; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: Alignment 64
; CHECK: OpVariable
; CHECK: CrossWorkgroup
; CHECK: OpPtrCastToGeneric
@m = internal global i32 5, align 64
define void @k(ptr %p) {
  %v = load volatile i32, ptr @m
  store volatile i32 %v, ptr @m
  store volatile ptr @m, ptr %p
  ret void
}
