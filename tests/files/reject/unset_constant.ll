; A number without a value may be an IR constant or a variable of the host program.
; kernel: _Z6kernelPi
; ERROR: `block` (called through kernel(int*) -> helper(int*))
; ERROR: device code has no variables of the host program
; ERROR: --constant block=TYPE:VALUE
@block = external global i32
define void @_Z6kernelPi(ptr %p) {
  call void @_Z6helperPi(ptr %p)
  ret void
}
define internal void @_Z6helperPi(ptr %p) {
  %b = load i32, ptr @block
  store i32 %b, ptr %p
  ret void
}
