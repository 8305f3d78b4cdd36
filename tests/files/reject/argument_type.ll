; kernel: k
; arg: 1=i64:1
; ERROR: `argument 1` takes i32, but the value given is i64:1
define void @k(ptr %p, i32 %n) {
  store i32 %n, ptr %p
  ret void
}
