; kernel: k
; target: spirv:vulkan
; CHECK: OpConstantComposite
; CHECK: OpVariable
; CHECK: Private
@table = internal constant [3 x i16] [i16 1, i16 2, i16 3]
define void @k(ptr %p, i64 %i) {
  %place = getelementptr [3 x i16], ptr @table, i64 0, i64 %i
  %x = load i16, ptr %place
  store i16 %x, ptr %p
  ret void
}
