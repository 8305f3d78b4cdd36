; kernel: k
; target: spirv:vulkan
; CHECK: OpModuleProcessed "sinter.print=1=id=[  text] %d %.2f%%
; CHECK: OpAtomicIAdd
; CHECK: OpSelectionMerge
@format = private constant [17 x i8] c"[%6s] %d %.2f%%\0A\00"
@text = private constant [5 x i8] c"text\00"
define void @k(i32 %x, double %y) {
  %n = call i32 (ptr, ...) @printf(ptr @format, ptr @text, i32 %x, double %y)
  ret void
}
declare i32 @printf(ptr, ...)
