; Calls a function of 128-bit integers, `NAME.whole`, with the halves of its operands.
define i128 @NAME(i128 %a, i128 %b) alwaysinline nounwind {
  %a.low = trunc i128 %a to i64
  %a.up = lshr i128 %a, 64
  %a.high = trunc i128 %a.up to i64
  %b.low = trunc i128 %b to i64
  %b.up = lshr i128 %b, 64
  %b.high = trunc i128 %b.up to i64
  %halves = call <2 x i64> @NAME.halves(i64 %a.low, i64 %a.high, i64 %b.low, i64 %b.high)
  %low = extractelement <2 x i64> %halves, i32 0
  %high = extractelement <2 x i64> %halves, i32 1
  %r.low = zext i64 %low to i128
  %r.high = zext i64 %high to i128
  %r.up = shl i128 %r.high, 64
  %r = or i128 %r.up, %r.low
  ret i128 %r
}

define <2 x i64> @NAME.halves(i64 %a.low, i64 %a.high, i64 %b.low, i64 %b.high) noinline nounwind {
  %a.0 = zext i64 %a.low to i128
  %a.1 = zext i64 %a.high to i128
  %a.up = shl i128 %a.1, 64
  %a = or i128 %a.up, %a.0
  %b.0 = zext i64 %b.low to i128
  %b.1 = zext i64 %b.high to i128
  %b.up = shl i128 %b.1, 64
  %b = or i128 %b.up, %b.0
  %r = call i128 @NAME.whole(i128 %a, i128 %b)
  %low = trunc i128 %r to i64
  %r.up = lshr i128 %r, 64
  %high = trunc i128 %r.up to i64
  %first = insertelement <2 x i64> poison, i64 %low, i32 0
  %halves = insertelement <2 x i64> %first, i64 %high, i32 1
  ret <2 x i64> %halves
}
