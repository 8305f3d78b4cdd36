; What is left of a type's description when the C++ run-time library is missing: an address of nothing, with an offset.
; target: ptx:sm_90
; CHECK: .u64 described[2] = {0+16,
%description = type { ptr, ptr }
@name = internal constant [2 x i8] c"s\00"
@described = internal constant %description { ptr getelementptr inbounds (ptr, ptr null, i64 2), ptr @name }, align 8

define void @kernel(ptr %out, i64 %i) {
  %place = getelementptr inbounds ptr, ptr @described, i64 %i
  %value = load ptr, ptr %place, align 8
  store ptr %value, ptr %out, align 8
  ret void
}
