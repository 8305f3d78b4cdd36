; kernel: k
; target: spirv:vulkan
; ERROR: a pointer that may lead to memory of several kinds
; ERROR: use separate code for each kind of memory
@tile = internal addrspace(3) global i32 undef, align 4
define void @k(ptr %p, i1 %which) {
  %local = addrspacecast ptr addrspace(3) @tile to ptr
  %either = select i1 %which, ptr %p, ptr %local
  store volatile i32 1, ptr %either
  ret void
}
