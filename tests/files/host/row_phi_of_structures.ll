; A phi of structures in a row has a literal for lanes of one way: each of its members is a vector.
; kernel: k
; target: x86-64-v4
; rows: 16
; step: optimise
; CHECK: define void @k
; CHECK: <i32 3, i32 3
; CHECK: <i32 1, i32 1
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %a, ptr %out, ptr %b, i32 %n) {
entry:
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %p = getelementptr inbounds float, ptr %b, i64 %l
  %x = load float, ptr %p, align 4
  br label %loop
loop:
  %f = phi float [ %x, %entry ], [ %g, %loop ]
  %g = fmul float %f, 1.5
  %more = fcmp olt float %g, 1.0e5
  br i1 %more, label %loop, label %after
after:
  %c = fcmp olt float %x, 5.0
  br i1 %c, label %then, label %join
then:
  %pp = getelementptr inbounds i32, ptr %out, i64 %l
  %r = cmpxchg ptr %pp, i32 7, i32 8 monotonic monotonic
  br label %join
join:
  %s = phi { i32, i1 } [ %r, %then ], [ { i32 3, i1 true }, %after ]
  %v = extractvalue { i32, i1 } %s, 0
  %w = extractvalue { i32, i1 } %s, 1
  %z = zext i1 %w to i32
  %q = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %v, ptr %q, align 4
  %t = getelementptr inbounds i32, ptr %a, i64 %l
  store i32 %z, ptr %t, align 4
  ret void
}
