; kernel: k
; target: spirv:vulkan
; ERROR: a pointer that may lead to memory of several kinds
@tile = internal addrspace(3) global i32 undef, align 4
define void @k(ptr %p) {
  %local = addrspacecast ptr addrspace(3) @tile to ptr
  store volatile ptr %local, ptr %p
  %back = load volatile ptr, ptr %p
  store volatile i32 1, ptr %back
  ret void
}
