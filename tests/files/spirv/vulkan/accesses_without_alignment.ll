; kernel: k
; target: spirv:vulkan
; CHECK: OpLoad
; CHECK: Aligned|NonPrivatePointer 2
; CHECK: OpStore
; CHECK: Aligned|NonPrivatePointer 1
define void @k(ptr %p, ptr %q) {
  %x = load i32, ptr %p, align 2
  store i32 %x, ptr %q, align 1
  ret void
}
