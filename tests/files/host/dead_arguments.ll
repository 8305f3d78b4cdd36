; A parameter that is not read is not loaded.
; kernel: k
; step: entry
; CHECK: %parameter.0 = load ptr
; CHECK: %parameter.2 = load i32
; CHECK: call void @k.item(ptr %parameter.0, double poison, i32 %parameter.2
; CHECK-NOT: %parameter.1 = load
define void @k(ptr %p, double %unused, i32 %v) {
  store i32 %v, ptr %p
  ret void
}
