; Each call is one variable of the work-group, also where one function is called twice.
; kernel: k
; step: local-memory
; CHECK: @local_memory = internal addrspace(3) global [64 x i8] undef, align 16
; CHECK: internal addrspace(3) global [64 x i8] undef, align 16
; CHECK: internal addrspace(3) global [12 x i8] undef, align 4
; CHECK: define void @k
; CHECK-NOT: @__sinter_local_memory
declare ptr addrspace(3) @__sinter_local_memory(i64, i64) memory(none)
define void @k(ptr %p) {
  %a = call ptr addrspace(3) @rows(i64 4) memory(none)
  %b = call ptr addrspace(3) @rows(i64 4) memory(none)
  %c = call ptr addrspace(3) @__sinter_local_memory(i64 12, i64 4)
  %unused = call ptr addrspace(3) @__sinter_local_memory(i64 99, i64 4)
  store volatile i32 1, ptr addrspace(3) %a
  store volatile i32 2, ptr addrspace(3) %b
  store volatile i32 3, ptr addrspace(3) %c
  ret void
}
define internal ptr addrspace(3) @rows(i64 %n) {
  %slot = alloca i64
  store i64 %n, ptr %slot
  %m = load i64, ptr %slot
  %size = mul i64 %m, 16
  %memory = call ptr addrspace(3) @__sinter_local_memory(i64 %size, i64 16)
  ret ptr addrspace(3) %memory
}
