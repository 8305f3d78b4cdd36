; kernel: k
; ERROR: local memory whose size or alignment is not a constant in range cannot be used on
; ERROR: alignment a power of two
declare ptr addrspace(3) @__sinter_local_memory(i64, i64)
define void @k() {
  %a = call ptr addrspace(3) @__sinter_local_memory(i64 16, i64 12)
  store volatile i32 1, ptr addrspace(3) %a
  ret void
}
