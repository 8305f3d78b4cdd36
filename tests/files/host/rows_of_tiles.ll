; Rows of 16 begin at multiples of 16: a quotient by 48 is one number, and a remainder grows from
; lane to lane, so that the row loads neighbours. The same goes for all bits of a mask and for none.
; kernel: tile
; target: x86-64-v4
; dimensions: 1
; group-size: 192,1,1
; rows: 16
; step: entry
; CHECK: @tile.item(
; CHECK: lshr i64
; CHECK: udiv i32
; CHECK: urem i32
; CHECK-NOT: udiv <
; CHECK-NOT: urem <
; CHECK-NOT: gather
; CHECK-NOT: scatter
declare i64 @__acpp_sscp_get_local_id_x()
declare i64 @__acpp_sscp_get_group_id_x()
define void @tile(ptr %in, ptr %out, i64 %pitch) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %g = call i64 @__acpp_sscp_get_group_id_x()
  %first = mul i64 %g, 192
  %i = add i64 %first, %l
  %y = udiv i64 %i, 16
  %x = urem i64 %i, 16
  %row = mul i64 %y, %pitch
  %at = add i64 %row, %x
  %from = getelementptr inbounds float, ptr %in, i64 %at
  %a = load float, ptr %from, align 4
  %n = trunc i64 %i to i32
  %q = udiv i32 %n, 48
  %r = urem i32 %n, 48
  %wq = zext i32 %q to i64
  %wr = zext i32 %r to i64
  %line = mul i64 %wq, %pitch
  %place = add i64 %line, %wr
  %to = getelementptr inbounds float, ptr %out, i64 %place
  %high = and i64 %i, -64
  %b.from = getelementptr inbounds float, ptr %in, i64 %high
  %b = load float, ptr %b.from, align 4
  %sum = fadd float %a, %b
  store float %sum, ptr %to, align 4
  ret void
}
