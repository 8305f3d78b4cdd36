; kernel: k
; target: ptx:sm_90
; ERROR: bytes of local memory
; ERROR: the limit is 232448 bytes
@a = internal addrspace(3) global [232449 x i8] undef
define void @k(ptr %p, i64 %i) {
  %q = getelementptr i8, ptr addrspace(3) @a, i64 %i
  %v = load volatile i8, ptr addrspace(3) %q
  store i8 %v, ptr %p
  ret void
}
