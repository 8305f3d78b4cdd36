; A loop with several ways back stays one loop, at whose end its work-items meet: its condition is tested behind all of them.
; kernel: k
; target: ptx:sm_90
; CHECK: setp.lt.s32
; CHECK: ld.local.u32
; CHECK: st.local.u32
; CHECK: st.global.u32
define void @k(ptr %p, i32 %n, i32 %start) {
entry:
  %stack = alloca [16 x i32]
  store i32 %start, ptr %stack
  br label %head
head:
  %row = phi i32 [ 0, %entry ], [ %up, %pop ], [ %row, %found ], [ %down, %push ]
  %count = phi i32 [ 0, %entry ], [ %count, %pop ], [ %more, %found ], [ %count, %push ]
  %goes = icmp sge i32 %row, 0
  br i1 %goes, label %body, label %out
body:
  %place = getelementptr i32, ptr %stack, i32 %row
  %free = load i32, ptr %place
  %empty = icmp eq i32 %free, 0
  br i1 %empty, label %pop, label %take
pop:
  %up = sub nsw i32 %row, 1
  br label %head
take:
  %minus = sub i32 %free, 1
  %rest = and i32 %free, %minus
  store i32 %rest, ptr %place
  %down = add nsw i32 %row, 1
  %last = icmp eq i32 %down, %n
  br i1 %last, label %found, label %push
found:
  %more = add i32 %count, 1
  br label %head
push:
  %below = getelementptr i32, ptr %stack, i32 %down
  %all = xor i32 %rest, 255
  store i32 %all, ptr %below
  br label %head
out:
  store i32 %count, ptr %p
  ret void
}
