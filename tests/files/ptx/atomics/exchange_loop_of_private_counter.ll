; What one of two pointers leads to may be private memory, where nothing is atomic.
; kernel: count
; target: ptx:sm_90
; CHECK: red.relaxed.gpu.inc.u32
; CHECK-NOT: cas
define void @count(ptr %p, i32 %limit, i1 %own, ptr %out) {
entry:
  %room = alloca i32, align 4
  store volatile i32 3, ptr %room, align 4
  %at = select i1 %own, ptr %room, ptr %p
  %first = load atomic i32, ptr %at syncscope("device") monotonic, align 4
  br label %up
up:
  %old = phi i32 [ %first, %entry ], [ %found, %up ]
  %wraps = icmp uge i32 %old, %limit
  %more = add i32 %old, 1
  %new = select i1 %wraps, i32 0, i32 %more
  %pair = cmpxchg ptr %at, i32 %old, i32 %new syncscope("device") monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %up
end:
  %left = load volatile i32, ptr %room, align 4
  store i32 %left, ptr %out, align 4
  ret void
}
