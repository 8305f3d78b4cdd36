; A function that chooses between structures has no form in a row. The kernel has one, and calls it for
; one lane after another.
; kernel: k
; target: x86-64-v4
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; step: entry
; REMARK: rows of 8 work-items
; REMARK: `swap` is called for one work-item after another: rows of lanes: a choice of structures
; CHECK: define internal void @k.item
; CHECK: call i32 @swap(
; CHECK: <8 x i32>
; CHECK-NOT: @swap.row
declare i64 @__acpp_sscp_get_local_id_x()
define internal i32 @swap(ptr %a, ptr %b, i32 %x) {
  %first = cmpxchg ptr %a, i32 1, i32 2 monotonic monotonic
  %second = cmpxchg ptr %b, i32 1, i32 2 monotonic monotonic
  %c = icmp sgt i32 %x, 5
  %s = select i1 %c, { i32, i1 } %first, { i32, i1 } %second
  %old = extractvalue { i32, i1 } %s, 0
  %done = extractvalue { i32, i1 } %s, 1
  %bit = zext i1 %done to i32
  %sum = add i32 %old, %bit
  %s0 = lshr i32 %sum, 3
  %x0 = xor i32 %s0, %sum
  %m0 = mul i32 %x0, 77
  %s1 = lshr i32 %m0, 4
  %x1 = xor i32 %s1, %m0
  %m1 = mul i32 %x1, 79
  %s2 = lshr i32 %m1, 5
  %x2 = xor i32 %s2, %m1
  %m2 = mul i32 %x2, 85
  %s3 = lshr i32 %m2, 6
  %x3 = xor i32 %s3, %m2
  %m3 = mul i32 %x3, 95
  %s4 = lshr i32 %m3, 7
  %x4 = xor i32 %s4, %m3
  %m4 = mul i32 %x4, 109
  %s5 = lshr i32 %m4, 8
  %x5 = xor i32 %s5, %m4
  %m5 = mul i32 %x5, 127
  %s6 = lshr i32 %m5, 9
  %x6 = xor i32 %s6, %m5
  %m6 = mul i32 %x6, 149
  %s7 = lshr i32 %m6, 3
  %x7 = xor i32 %s7, %m6
  %m7 = mul i32 %x7, 175
  %s8 = lshr i32 %m7, 4
  %x8 = xor i32 %s8, %m7
  %m8 = mul i32 %x8, 205
  %s9 = lshr i32 %m8, 5
  %x9 = xor i32 %s9, %m8
  %m9 = mul i32 %x9, 239
  %s10 = lshr i32 %m9, 6
  %x10 = xor i32 %s10, %m9
  %m10 = mul i32 %x10, 277
  %s11 = lshr i32 %m10, 7
  %x11 = xor i32 %s11, %m10
  %m11 = mul i32 %x11, 319
  %s12 = lshr i32 %m11, 8
  %x12 = xor i32 %s12, %m11
  %m12 = mul i32 %x12, 365
  %s13 = lshr i32 %m12, 9
  %x13 = xor i32 %s13, %m12
  %m13 = mul i32 %x13, 415
  %s14 = lshr i32 %m13, 3
  %x14 = xor i32 %s14, %m13
  %m14 = mul i32 %x14, 469
  %s15 = lshr i32 %m14, 4
  %x15 = xor i32 %s15, %m14
  %m15 = mul i32 %x15, 527
  %s16 = lshr i32 %m15, 5
  %x16 = xor i32 %s16, %m15
  %m16 = mul i32 %x16, 589
  %s17 = lshr i32 %m16, 6
  %x17 = xor i32 %s17, %m16
  %m17 = mul i32 %x17, 655
  %s18 = lshr i32 %m17, 7
  %x18 = xor i32 %s18, %m17
  %m18 = mul i32 %x18, 725
  %s19 = lshr i32 %m18, 8
  %x19 = xor i32 %s19, %m18
  %m19 = mul i32 %x19, 799
  %s20 = lshr i32 %m19, 9
  %x20 = xor i32 %s20, %m19
  %m20 = mul i32 %x20, 877
  %s21 = lshr i32 %m20, 3
  %x21 = xor i32 %s21, %m20
  %m21 = mul i32 %x21, 959
  %s22 = lshr i32 %m21, 4
  %x22 = xor i32 %s22, %m21
  %m22 = mul i32 %x22, 1045
  %s23 = lshr i32 %m22, 5
  %x23 = xor i32 %s23, %m22
  %m23 = mul i32 %x23, 1135
  ret i32 %m23
}
define void @k(ptr %a, ptr %b) {
  %l = call i64 @__acpp_sscp_get_local_id_x()
  %p = getelementptr inbounds i32, ptr %a, i64 %l
  %q = getelementptr inbounds i32, ptr %b, i64 %l
  %x = load i32, ptr %p, align 4
  %one = call i32 @swap(ptr %p, ptr %q, i32 %x)
  %other = call i32 @swap(ptr %q, ptr %p, i32 %one)
  %two = mul i32 %other, %x
  store i32 %two, ptr %q, align 4
  ret void
}
