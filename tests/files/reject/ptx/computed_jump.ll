; kernel: k
; target: ptx:sm_90
; ERROR: an indirect branch
define internal void @f(ptr %p) noinline {
  store volatile ptr blockaddress(@f, %a), ptr %p
  store volatile ptr blockaddress(@f, %b), ptr %p
  %t = load volatile ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  store volatile i32 1, ptr %p
  ret void
b:
  ret void
}
define void @k(ptr %p) {
  call void @f(ptr %p)
  ret void
}
