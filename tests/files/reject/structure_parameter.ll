; A parameter of a named structure type, in registers.
; kernel: k
; ERROR: a kernel parameter of the type `{ i32, float }`
%struct.S = type { i32, float }
define void @k(ptr %p, %struct.S %s) {
  %v = extractvalue %struct.S %s, 0
  store i32 %v, ptr %p
  ret void
}
