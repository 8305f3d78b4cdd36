; A private array that is accessed in words of two sizes: each lane has a copy of it.
; kernel: parts
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; CHECK: @parts.item(
; CHECK: alloca [2560 x i8], align 16
; CHECK: gather
; CHECK-NOT: load <16 x i16>, ptr
declare i64 @__acpp_sscp_get_local_id_x()
define void @parts(ptr %in, ptr %out, i64 %n, i64 %last) {
entry:
  %all = alloca [40 x i32], align 16
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %in, i64 %l
  %x = load i32, ptr %from, align 4
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = urem i64 %i, 40
  %word = getelementptr inbounds [40 x i32], ptr %all, i64 0, i64 %at
  store i32 %x, ptr %word, align 4
  %next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %place = getelementptr inbounds [80 x i16], ptr %all, i64 0, i64 %last
  %half = load i16, ptr %place, align 2
  %whole = getelementptr inbounds [40 x i32], ptr %all, i64 0, i64 %last
  %full = load i32, ptr %whole, align 4
  %wide = zext i16 %half to i32
  %result = add i32 %wide, %full
  %to = getelementptr inbounds i32, ptr %out, i64 %l
  store i32 %result, ptr %to, align 4
  ret void
}
