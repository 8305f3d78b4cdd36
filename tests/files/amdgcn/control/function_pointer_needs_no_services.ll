; kernel: k
; target: amdgpu:gfx90a
; CHECK: s_swappc_b64
; CHECK: .uses_dynamic_stack: true
; CHECK-NOT: hidden_hostcall_buffer
; CHECK-NOT: hidden_heap_v1
; CHECK-NOT: hidden_default_queue
; CHECK-NOT: hidden_completion_action
; CHECK-NOT: hidden_multigrid_sync_arg
; CHECK-NOT: hidden_queue_ptr
@table = internal constant [2 x ptr] [ptr @f, ptr @g]
define internal i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define internal i32 @g(i32 %x) {
  %y = mul i32 %x, %x
  ret i32 %y
}
define void @k(ptr %p, i32 %i) {
  %s = getelementptr ptr, ptr @table, i32 %i
  %f = load ptr, ptr %s
  %r = call i32 %f(i32 %i)
  store i32 %r, ptr %p
  ret void
}
