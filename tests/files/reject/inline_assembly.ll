; kernel: k
; ERROR: inline assembly cannot be used on host:x86-64-v3
define void @k(ptr %p) {
  call void asm sideeffect "nop", ""()
  store i32 1, ptr %p
  ret void
}
