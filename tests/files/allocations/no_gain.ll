; Nothing is said where no load follows a store, so that one variant serves all pointers.
; kernel: k
; target: ptx:sm_90
; step: allocations
; allocations: 0,1,2
; CHECK: store float
; CHECK-NOT: !alias.scope
define void @k(ptr %a, ptr %b, ptr %out) {
  %x = load float, ptr %a
  %y = load float, ptr %b
  %z = fadd float %x, %y
  store float %z, ptr %out
  ret void
}
