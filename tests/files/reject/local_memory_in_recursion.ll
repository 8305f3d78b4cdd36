; kernel: k
; ERROR: local memory in `again`, which cannot be inlined into the kernel
; ERROR: must get a pointer to local memory as an argument
declare ptr addrspace(3) @__sinter_local_memory(i64, i64)
define void @k(i32 %n) {
  call void @again(i32 %n)
  ret void
}
define internal void @again(i32 %n) {
  %a = call ptr addrspace(3) @__sinter_local_memory(i64 16, i64 4)
  store volatile i32 %n, ptr addrspace(3) %a
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %m = sub i32 %n, 1
  call void @again(i32 %m)
  br label %done
done:
  ret void
}
