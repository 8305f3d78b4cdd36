; LLVM ends the process where such a CPU is to run code of 64 bits.
; kernel: k
; target: pentium
; ERROR: the CPU `pentium` has no 64-bit mode
define void @k(ptr %p) {
  ret void
}
