; kernel: k
; ERROR: an indirect branch in a kernel cannot be used
@t = internal constant [2 x ptr] [ptr blockaddress(@k, %a), ptr blockaddress(@k, %b)]
define void @k(ptr %p, i64 %i) {
  %g = getelementptr ptr, ptr @t, i64 %i
  %v = load ptr, ptr %g
  indirectbr ptr %v, [label %a, label %b]
a:
  store i32 1, ptr %p
  br label %b
b:
  ret void
}
