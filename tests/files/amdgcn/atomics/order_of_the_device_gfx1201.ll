; kernel: k
; target: amdgpu:gfx1201
; CHECK: global_wb scope:SCOPE_DEV
; CHECK: s_wait_storecnt 0x0
; CHECK: scope:SCOPE_DEV
; CHECK: global_inv scope:SCOPE_DEV
define void @k(ptr %p, ptr %q, i32 %n) {
  store i32 1, ptr %q
  store atomic i32 %n, ptr %p syncscope("agent") release, align 4
  %v = load atomic i32, ptr %p syncscope("agent") acquire, align 4
  %w = load i32, ptr %q
  %s = add i32 %v, %w
  store i32 %s, ptr %q
  ret void
}
