; Lanes of a row update memory of their group one after another: each loads what the one before it
; stored, and nothing is locked. The address of a lane comes from memory.
; kernel: count
; target: x86-64-v4
; dimensions: 1
; group-size: 16,1,1
; rows: 16
; step: optimise
; CHECK: define void @count
; CHECK: gather
; CHECK: store volatile <16 x ptr>
; CHECK: load volatile ptr
; CHECK: load atomic i32
; CHECK: store atomic i32
; CHECK-NOT: atomicrmw
; CHECK-NOT: __sinter_update
@bins = internal addrspace(3) global [64 x i32] undef
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_atomic_fetch_add_u32(i32, i32, i32, ptr, i32)
define void @count(ptr %data, ptr %place) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %place, i64 %l
  %index = load i32, ptr %from, align 4
  %far = zext i32 %index to i64
  %at = getelementptr inbounds i32, ptr %data, i64 %far
  %x = load i32, ptr %at, align 4
  %bin = and i32 %x, 63
  %wide = zext i32 %bin to i64
  %to = getelementptr inbounds i32, ptr addrspace(3) @bins, i64 %wide
  %generic = addrspacecast ptr addrspace(3) %to to ptr
  %old = call i32 @__acpp_sscp_atomic_fetch_add_u32(i32 1, i32 0, i32 2, ptr %generic, i32 1)
  store i32 %old, ptr %from, align 4
  ret void
}
