; kernel: k
; step: flavor
; target: amdgpu:gfx90a
; CHECK: @table = internal unnamed_addr addrspace(4) constant [2 x i32]
; CHECK: @counter = internal addrspace(1) global i32 7
; CHECK: @places = internal addrspace(4) constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @counter to ptr), ptr null]
@table = internal unnamed_addr constant [2 x i32] [i32 3, i32 4]
@counter = internal global i32 7
@places = internal constant [2 x ptr] [ptr @counter, ptr null]
define void @k(ptr %p, i64 %i) {
  %q = getelementptr i32, ptr @table, i64 %i
  %v = load i32, ptr %q
  %h = getelementptr ptr, ptr @places, i64 %i
  %c = load ptr, ptr %h
  store i32 %v, ptr %c
  ret void
}
