; A load that is executed whichever way a branch goes is issued before it.
; kernel: k
; target: ptx:sm_90
; CHECK: ld.global.u32
; CHECK: ld.global.u32
; CHECK: bra
define void @k(ptr %a, ptr %b, ptr %o, i32 %n) {
  %x = load i32, ptr %a
  %c = icmp slt i32 %x, %n
  br i1 %c, label %then, label %join
then:
  %d = sdiv i32 %x, %n
  %r = srem i32 %d, 7
  br label %join
join:
  %z = phi i32 [ %x, %0 ], [ %r, %then ]
  %y = load i32, ptr %b
  %e = add i32 %z, %y
  store i32 %e, ptr %o
  ret void
}
