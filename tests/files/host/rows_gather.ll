; A gather's indices are 0 for lanes that do not run it: with indices that are not defined, LLVM 19
; would let the processor gather into the register of the indices, which it refuses.
; kernel: look_up
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: optimise
; CHECK: define void @look_up
; CHECK: , <16 x i32> zeroinitializer
; CHECK: zext <16 x i32>
; CHECK: @llvm.masked.gather.v16f32
declare i64 @__acpp_sscp_get_local_id_x()
define void @look_up(ptr %table, ptr %indices, ptr %out) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %from = getelementptr inbounds i32, ptr %indices, i64 %l
  %index = load i32, ptr %from, align 4
  %valid = icmp sgt i32 %index, -1
  br i1 %valid, label %read, label %end
read:
  %wide = sext i32 %index to i64
  %entry = getelementptr inbounds float, ptr %table, i64 %wide
  %value = load float, ptr %entry, align 4
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %value, ptr %to, align 4
  br label %end
end:
  ret void
}
