; kernel: k
; target: spirv:vulkan:1.5:-divergent-fences
; The driver fills the table behind the status, because lavapipe stores initial values word by word.
; CHECK: OpModuleProcessed "sinter.table=0100020003000000"
; CHECK-NOT: OpConstantComposite
@table = internal constant [3 x i16] [i16 1, i16 2, i16 3]
define void @k(ptr %p, i64 %i) {
  %place = getelementptr [3 x i16], ptr @table, i64 0, i64 %i
  %x = load i16, ptr %place
  store i16 %x, ptr %p
  ret void
}
