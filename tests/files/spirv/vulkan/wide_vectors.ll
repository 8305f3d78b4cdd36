; kernel: k
; target: spirv:vulkan
; CHECK-NOT: OpCapability Vector16
; CHECK: OpStore
define void @k(ptr %p, ptr %q, i1 %c) {
entry:
  %a = load <8 x i16>, ptr %p
  br i1 %c, label %more, label %end
more:
  %b = load volatile <8 x i16>, ptr %q
  br label %end
end:
  %x = phi <8 x i16> [ %a, %entry ], [ %b, %more ]
  %y = icmp slt <8 x i16> %x, zeroinitializer
  %bits = bitcast <8 x i1> %y to i8
  store i8 %bits, ptr %q
  %wide = bitcast <8 x i16> %x to i128
  store i128 %wide, ptr %p
  ret void
}
