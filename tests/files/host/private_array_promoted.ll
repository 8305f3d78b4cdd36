; A private array over a loop of known length lives in registers before accesses are marked.
; kernel: k
; step: simplify
; CHECK-NOT: alloca
define void @k(ptr %p) {
entry:
  %a = alloca [4 x i32]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %pi = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %pi
  %slot = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  store i32 %v, ptr %slot
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %fill, label %done
done:
  %last = getelementptr [4 x i32], ptr %a, i64 0, i64 3
  %w = load i32, ptr %last
  store i32 %w, ptr %p
  ret void
}
