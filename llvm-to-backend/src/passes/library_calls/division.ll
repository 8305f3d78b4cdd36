; Quotient and remainder of unsigned 128-bit integers by 64-bit divisions (H. S. Warren, "Hacker's
; Delight", 2nd edition, 9-4 and 9-5). Division by zero executes a 64-bit division by zero. No loop.

; A 32-bit digit of (%u * 2^32 + %next) / %v, where the highest bit of %v is set and %u is less than
; %v. The estimate by the upper half of %v is at most two too large.
define i64 @NAME.digit(i64 %u, i64 %next, i64 %v) alwaysinline nounwind {
  %v.high = lshr i64 %v, 32
  %v.low = and i64 %v, 4294967295
  %q.0 = udiv i64 %u, %v.high
  %part.0 = mul i64 %q.0, %v.high
  %r.0 = sub i64 %u, %part.0
  %big.0 = icmp ugt i64 %q.0, 4294967295
  %low.0 = mul i64 %q.0, %v.low
  %up.0 = shl i64 %r.0, 32
  %rest.0 = or i64 %up.0, %next
  %more.0 = icmp ugt i64 %low.0, %rest.0
  %over.0 = or i1 %big.0, %more.0
  %less.0 = sub i64 %q.0, 1
  %q.1 = select i1 %over.0, i64 %less.0, i64 %q.0
  %sum.0 = add i64 %r.0, %v.high
  %r.1 = select i1 %over.0, i64 %sum.0, i64 %r.0
  %fits = icmp ule i64 %r.1, 4294967295
  %big.1 = icmp ugt i64 %q.1, 4294967295
  %low.1 = mul i64 %q.1, %v.low
  %up.1 = shl i64 %r.1, 32
  %rest.1 = or i64 %up.1, %next
  %more.1 = icmp ugt i64 %low.1, %rest.1
  %wrong = or i1 %big.1, %more.1
  %over.1 = and i1 %fits, %wrong
  %less.1 = sub i64 %q.1, 1
  %q.2 = select i1 %over.1, i64 %less.1, i64 %q.1
  ret i64 %q.2
}

; (%high * 2^64 + %low) / %y, where %high is less than %y.
define i64 @NAME.limb(i64 %high, i64 %low, i64 %y) alwaysinline nounwind {
  %shift = call i64 @llvm.ctlz.i64(i64 %y, i1 false)
  %v = shl i64 %y, %shift
  %back = xor i64 %shift, 63
  %half = lshr i64 %low, 1
  %carried = lshr i64 %half, %back
  %raised = shl i64 %high, %shift
  %u = or i64 %raised, %carried
  %rest = shl i64 %low, %shift
  %next.1 = lshr i64 %rest, 32
  %next.0 = and i64 %rest, 4294967295
  %q.1 = call i64 @NAME.digit(i64 %u, i64 %next.1, i64 %v)
  %u.up = shl i64 %u, 32
  %u.all = or i64 %u.up, %next.1
  %part = mul i64 %q.1, %v
  %left = sub i64 %u.all, %part
  %q.0 = call i64 @NAME.digit(i64 %left, i64 %next.0, i64 %v)
  %q.up = shl i64 %q.1, 32
  %q = add i64 %q.up, %q.0
  ret i64 %q
}

define i128 @NAME.quotient(i128 %x, i128 %y) alwaysinline nounwind {
entry:
  %x.low = trunc i128 %x to i64
  %x.up = lshr i128 %x, 64
  %x.high = trunc i128 %x.up to i64
  %y.low = trunc i128 %y to i64
  %y.up = lshr i128 %y, 64
  %y.high = trunc i128 %y.up to i64
  %is.limb = icmp eq i64 %y.high, 0
  br i1 %is.limb, label %limb, label %wide
limb:
  %is.less = icmp ult i64 %x.high, %y.low
  br i1 %is.less, label %lower, label %upper
upper:
  %q.upper = udiv i64 %x.high, %y.low
  %part = mul i64 %q.upper, %y.low
  %r.upper = sub i64 %x.high, %part
  br label %lower
lower:
  %q.high = phi i64 [ 0, %limb ], [ %q.upper, %upper ]
  %over = phi i64 [ %x.high, %limb ], [ %r.upper, %upper ]
  %is.short = icmp eq i64 %over, 0
  br i1 %is.short, label %short, label %long
short:
  %q.short = udiv i64 %x.low, %y.low
  br label %join
long:
  %q.long = call i64 @NAME.limb(i64 %over, i64 %x.low, i64 %y.low)
  br label %join
join:
  %q.low = phi i64 [ %q.short, %short ], [ %q.long, %long ]
  %q.high.wide = zext i64 %q.high to i128
  %q.low.wide = zext i64 %q.low to i128
  %q.raised = shl i128 %q.high.wide, 64
  %q.limb = or i128 %q.raised, %q.low.wide
  br label %end
wide:
  %shift = call i64 @llvm.ctlz.i64(i64 %y.high, i1 false)
  %shift.wide = zext i64 %shift to i128
  %y.normal = shl i128 %y, %shift.wide
  %y.top = lshr i128 %y.normal, 64
  %v = trunc i128 %y.top to i64
  %u = lshr i128 %x, 1
  %u.up = lshr i128 %u, 64
  %u.high = trunc i128 %u.up to i64
  %u.low = trunc i128 %u to i64
  %estimate = call i64 @NAME.limb(i64 %u.high, i64 %u.low, i64 %v)
  %estimate.wide = zext i64 %estimate to i128
  %estimate.up = shl i128 %estimate.wide, %shift.wide
  %q.most = lshr i128 %estimate.up, 63
  %is.none = icmp eq i128 %q.most, 0
  %q.less = sub i128 %q.most, 1
  %q.least = select i1 %is.none, i128 0, i128 %q.less
  %product = mul i128 %q.least, %y
  %rest = sub i128 %x, %product
  %once.more = icmp uge i128 %rest, %y
  %one = zext i1 %once.more to i128
  %q.wide = add i128 %q.least, %one
  br label %end
end:
  %q = phi i128 [ %q.limb, %join ], [ %q.wide, %wide ]
  ret i128 %q
}
