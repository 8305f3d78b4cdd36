; kernel: k
; target: spirv:opencl:1.3
; no-optimise
; CHECK: OpExtension "SPV_KHR_no_integer_wrap_decoration"
; CHECK: NoSignedWrap
define void @k(ptr %p, ptr %q) {
  %a = load volatile i32, ptr %p
  %b = load volatile i32, ptr %q
  %r0 = add nsw i32 %a, %b
  store volatile i32 %r0, ptr %q
  ret void
}
