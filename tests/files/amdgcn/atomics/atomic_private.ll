; kernel: k
; target: amdgpu:gfx90a
; no-optimise
; CHECK-NOT: flat_atomic
; CHECK-NOT: global_atomic
define void @k(ptr %p, i64 %n) {
  %a = alloca i64
  store i64 1, ptr %a
  %o = atomicrmw add ptr %a, i64 %n seq_cst
  store i64 %o, ptr %p
  ret void
}
