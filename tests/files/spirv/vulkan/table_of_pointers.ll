; kernel: k
; target: spirv:vulkan
; no-optimise
; The address of a table: kind 3, and an offset behind 64.
; CHECK: 3221225472
; CHECK: OpConstantComposite
@one = private constant [4 x i8] c"one\00"
@two = private constant [4 x i8] c"two\00"
@names = internal constant [2 x ptr] [ptr @one, ptr getelementptr ([4 x i8], ptr @two, i64 0, i64 1)]
define void @k(ptr %p, i64 %i) {
  %place = getelementptr [2 x ptr], ptr @names, i64 0, i64 %i
  %name = load ptr, ptr %place
  %x = load i8, ptr %name
  store i8 %x, ptr %p
  ret void
}
