; kernel: k
; target: spirv:vulkan
; no-optimise
; CHECK: OpLoopMerge
; CHECK: OpSelectionMerge
define void @k(ptr %p, i1 %first) {
  br i1 %first, label %a, label %b
a:
  %x = load volatile i32, ptr %p
  %more.a = icmp eq i32 %x, 0
  br i1 %more.a, label %b, label %end
b:
  %y = load volatile i32, ptr %p
  %more.b = icmp eq i32 %y, 1
  br i1 %more.b, label %a, label %end
end:
  ret void
}
