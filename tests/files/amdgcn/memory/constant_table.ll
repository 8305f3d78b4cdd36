; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_getpc_b64
; CHECK: s_load_dword
; CHECK-NOT: flat_load
@table = internal unnamed_addr constant [4 x i32] [i32 3, i32 4, i32 9, i32 77]
define void @k(ptr %p, i64 %i) {
  %q = getelementptr i32, ptr @table, i64 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
