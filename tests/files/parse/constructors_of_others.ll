; kernel: k
; step: parse
; What a constructor sets does not matter where the kernel does not read it, nor what it reads.
; CHECK: define void @k
; CHECK-NOT: llvm.global_ctors
@other = internal global i32 0
@table = internal global i32 7
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
define internal void @start() {
  %v = load i32, ptr @table
  store i32 %v, ptr @other
  ret void
}
define void @k(ptr %p) {
  %v = load i32, ptr @table
  store i32 %v, ptr %p
  ret void
}
