; A row of 16 holds two rows of a tile of 8, and one that begins anywhere may hold parts of two of a
; tile of 16: lanes have addresses of their own.
; kernel: tile
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 16
; step: entry
; CHECK: @tile.item(
; CHECK: lshr <16 x i64>
; CHECK: @llvm.masked.gather
; CHECK: lshr <16 x i64>
; CHECK: @llvm.masked.gather
declare i64 @__acpp_sscp_get_local_id_x()
define void @tile(ptr %in, ptr %out, i64 %pitch, i64 %first) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %y = udiv i64 %l, 8
  %x = urem i64 %l, 8
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %from = getelementptr inbounds float, ptr %in, i64 %at
  %a = load float, ptr %from, align 4
  %i = add i64 %l, %first
  %q = udiv i64 %i, 16
  %r = urem i64 %i, 16
  %line = mul i64 %q, %pitch
  %place = add i64 %line, %r
  %b.from = getelementptr inbounds float, ptr %in, i64 %place
  %b = load float, ptr %b.from, align 4
  %sum = fadd float %a, %b
  %to = getelementptr inbounds float, ptr %out, i64 %l
  store float %sum, ptr %to, align 4
  ret void
}
