; Functions that take or return numbers which the device lacks are inlined at every level.
; kernel: k
; target: spirv:opencl:-fp16
; no-optimise
; CHECK-NOT: OpCapability Float16
; CHECK-NOT: OpTypeFloat 16
; CHECK-NOT: OpFunctionCall
%wrapped = type { half }
define half @twice(half %x) noinline {
  %kept = alloca %wrapped
  store half %x, ptr %kept
  %y = load half, ptr %kept
  %positive = fcmp ogt half %y, 0.0
  br i1 %positive, label %yes, label %no
yes:
  %r = fadd half %x, %x
  ret half %r
no:
  ret half %y
}
define bfloat @wide(<2 x half> %x) noinline {
  %a = extractelement <2 x half> %x, i32 1
  %b = fpext half %a to float
  %c = fptrunc float %b to bfloat
  ret bfloat %c
}
define void @k(ptr %p, ptr %q) {
  %a = load half, ptr %p
  %r = call half @twice(half %a)
  store half %r, ptr %p
  %b = load <2 x half>, ptr %p
  %w = call bfloat @wide(<2 x half> %b)
  store bfloat %w, ptr %q
  ret void
}
