; kernel: k
; target: ptx:sm_90
; CHECK: .extern .shared .align 128 .b8 sinter_local_memory[];
; CHECK: [sinter_local_memory+64]
; CHECK-NOT: .shared .align 4
@a = internal addrspace(3) global [5 x i32] undef, align 4
@b = internal addrspace(3) global i64 undef, align 64
define void @k(ptr %p, i64 %i) {
  %q = getelementptr [5 x i32], ptr addrspace(3) @a, i64 0, i64 %i
  %v = load volatile i32, ptr addrspace(3) %q
  store volatile i64 1, ptr addrspace(3) @b
  store i32 %v, ptr %p
  ret void
}
