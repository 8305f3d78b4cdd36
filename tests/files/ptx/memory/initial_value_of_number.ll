; A table of virtual functions says as an address how far its class lies within the whole object.
; target: ptx:sm_90
; CHECK: .u64 table[2] = {
; CHECK: , generic(name)}
@name = internal constant [2 x i8] c"s\00"
@table = internal constant { [2 x ptr] } { [2 x ptr] [ptr inttoptr (i64 -8 to ptr), ptr @name] }, align 8

define void @kernel(ptr %out, i64 %i) {
  %place = getelementptr inbounds ptr, ptr @table, i64 %i
  %value = load ptr, ptr %place, align 8
  store ptr %value, ptr %out, align 8
  ret void
}
