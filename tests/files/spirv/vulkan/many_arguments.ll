; kernel: k
; target: spirv:vulkan
; CHECK: OpTypePointer PushConstant
; CHECK: OpConvertUToPtr
define void @k(ptr %p, ptr byval([100 x i8]) align 4 %bytes, i64 %i) {
  %place = getelementptr i8, ptr %bytes, i64 %i
  %x = load i8, ptr %place
  store i8 %x, ptr %p
  ret void
}
