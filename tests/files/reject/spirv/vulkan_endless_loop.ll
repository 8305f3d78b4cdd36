; kernel: k
; target: spirv:vulkan
; no-optimise
; ERROR: a loop that never ends
define void @k(ptr %p) {
  br label %loop
loop:
  store volatile i32 1, ptr %p
  br label %loop
}
