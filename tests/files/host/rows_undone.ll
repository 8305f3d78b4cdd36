; A kernel that cannot become one of rows stays as it was: here a choice between structures.
; kernel: chosen
; target: x86-64-v4
; dimensions: 1
; rows: 8
; step: optimise
; CHECK: define void @chosen
; CHECK: cmpxchg
; CHECK-NOT: <8 x
declare i64 @__acpp_sscp_get_local_id_x()
define void @chosen(ptr %a, ptr %b) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %p = getelementptr inbounds i32, ptr %a, i64 %l
  %first = cmpxchg ptr %p, i32 1, i32 2 monotonic monotonic
  %q = getelementptr inbounds i32, ptr %b, i64 %l
  %second = cmpxchg ptr %q, i32 1, i32 2 monotonic monotonic
  %x = load volatile i32, ptr %p, align 4
  %c = icmp sgt i32 %x, 5
  %s = select i1 %c, { i32, i1 } %first, { i32, i1 } %second
  %old = extractvalue { i32, i1 } %s, 0
  %done = extractvalue { i32, i1 } %s, 1
  %bit = zext i1 %done to i32
  %sum = add i32 %old, %bit
  store i32 %sum, ptr %q, align 4
  ret void
}
