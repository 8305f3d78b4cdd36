; Values of types that no GPU has, made from bytes in memory.
define internal i24 @"make i24"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 3
  %a.w = load i24, ptr %a.p, align 1
  %a = or i24 %a.w, 0
  ret i24 %a
}

define internal i33 @"make i33"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 3
  %a.w = load i40, ptr %a.p, align 1
  %a = trunc i40 %a.w to i33
  ret i33 %a
}

define internal i48 @"make i48"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 3
  %a.w = load i48, ptr %a.p, align 1
  %a = or i48 %a.w, 0
  ret i48 %a
}

define internal i100 @"make i100"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 3
  %a.w = load i104, ptr %a.p, align 1
  %a = trunc i104 %a.w to i100
  ret i100 %a
}

define internal i128 @"make i128"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 3
  %a.w = load i128, ptr %a.p, align 1
  %a = or i128 %a.w, 0
  ret i128 %a
}

define internal <3 x i24> @"make <3 x i24>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i72, ptr %a.p, align 1
  %a = or i72 %a.w, 0
  %r = bitcast i72 %a to <3 x i24>
  ret <3 x i24> %r
}

define internal <5 x i32> @"make <5 x i32>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i160, ptr %a.p, align 1
  %a = or i160 %a.w, 0
  %r = bitcast i160 %a to <5 x i32>
  ret <5 x i32> %r
}

define internal <7 x i1> @"make <7 x i1>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i8, ptr %a.p, align 1
  %a = trunc i8 %a.w to i7
  %r = bitcast i7 %a to <7 x i1>
  ret <7 x i1> %r
}

define internal <4 x i1> @"make <4 x i1>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i8, ptr %a.p, align 1
  %a = trunc i8 %a.w to i4
  %r = bitcast i4 %a to <4 x i1>
  ret <4 x i1> %r
}

define internal <3 x float> @"make <3 x float>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i96, ptr %a.p, align 1
  %a = or i96 %a.w, 0
  %r = bitcast i96 %a to <3 x float>
  ret <3 x float> %r
}

define internal <3 x i8> @"make <3 x i8>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i24, ptr %a.p, align 1
  %a = or i24 %a.w, 0
  %r = bitcast i24 %a to <3 x i8>
  ret <3 x i8> %r
}

define internal <5 x i33> @"make <5 x i33>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i168, ptr %a.p, align 1
  %a = trunc i168 %a.w to i165
  %r = bitcast i165 %a to <5 x i33>
  ret <5 x i33> %r
}

define internal <32 x i8> @"make <32 x i8>"(ptr %in) {
  %a.p = getelementptr i8, ptr %in, i64 5
  %a.w = load i256, ptr %a.p, align 1
  %a = or i256 %a.w, 0
  %r = bitcast i256 %a to <32 x i8>
  ret <32 x i8> %r
}

define internal <2 x ptr> @"make <2 x ptr>"(ptr %in) {
  %r = load <2 x ptr>, ptr %in, align 1
  ret <2 x ptr> %r
}

define internal { i8, i24, i1 } @"make { i8, i24, i1 }"(ptr %in) {
  %m0.p = getelementptr i8, ptr %in, i64 1
  %m0.w = load i8, ptr %m0.p, align 1
  %m0 = or i8 %m0.w, 0
  %r0 = insertvalue { i8, i24, i1 } poison, i8 %m0, 0
  %m1.p = getelementptr i8, ptr %in, i64 10
  %m1.w = load i24, ptr %m1.p, align 1
  %m1 = or i24 %m1.w, 0
  %r1 = insertvalue { i8, i24, i1 } %r0, i24 %m1, 1
  %m2.p = getelementptr i8, ptr %in, i64 19
  %m2.w = load i8, ptr %m2.p, align 1
  %m2 = trunc i8 %m2.w to i1
  %r2 = insertvalue { i8, i24, i1 } %r1, i1 %m2, 2
  ret { i8, i24, i1 } %r2
}

define internal [3 x { i33, <2 x i1> }] @"make [3 x { i33, <2 x i1> }]"(ptr %in) {
  %m0.p = getelementptr i8, ptr %in, i64 1
  %m0.w = load i40, ptr %m0.p, align 1
  %m0 = trunc i40 %m0.w to i33
  %r0 = insertvalue [3 x { i33, <2 x i1> }] poison, i33 %m0, 0, 0
  %m1.p = getelementptr i8, ptr %in, i64 10
  %m1.w = load i8, ptr %m1.p, align 1
  %m1 = trunc i8 %m1.w to i2
  %b1 = bitcast i2 %m1 to <2 x i1>
  %r1 = insertvalue [3 x { i33, <2 x i1> }] %r0, <2 x i1> %b1, 0, 1
  %m2.p = getelementptr i8, ptr %in, i64 19
  %m2.w = load i40, ptr %m2.p, align 1
  %m2 = trunc i40 %m2.w to i33
  %r2 = insertvalue [3 x { i33, <2 x i1> }] %r1, i33 %m2, 1, 0
  %m3.p = getelementptr i8, ptr %in, i64 28
  %m3.w = load i8, ptr %m3.p, align 1
  %m3 = trunc i8 %m3.w to i2
  %b3 = bitcast i2 %m3 to <2 x i1>
  %r3 = insertvalue [3 x { i33, <2 x i1> }] %r2, <2 x i1> %b3, 1, 1
  %m4.p = getelementptr i8, ptr %in, i64 37
  %m4.w = load i40, ptr %m4.p, align 1
  %m4 = trunc i40 %m4.w to i33
  %r4 = insertvalue [3 x { i33, <2 x i1> }] %r3, i33 %m4, 2, 0
  %m5.p = getelementptr i8, ptr %in, i64 46
  %m5.w = load i8, ptr %m5.p, align 1
  %m5 = trunc i8 %m5.w to i2
  %b5 = bitcast i2 %m5 to <2 x i1>
  %r5 = insertvalue [3 x { i33, <2 x i1> }] %r4, <2 x i1> %b5, 2, 1
  ret [3 x { i33, <2 x i1> }] %r5
}

define internal <{ i8, i128, i24 }> @"make <{ i8, i128, i24 }>"(ptr %in) {
  %m0.p = getelementptr i8, ptr %in, i64 1
  %m0.w = load i8, ptr %m0.p, align 1
  %m0 = or i8 %m0.w, 0
  %r0 = insertvalue <{ i8, i128, i24 }> poison, i8 %m0, 0
  %m1.p = getelementptr i8, ptr %in, i64 10
  %m1.w = load i128, ptr %m1.p, align 1
  %m1 = or i128 %m1.w, 0
  %r1 = insertvalue <{ i8, i128, i24 }> %r0, i128 %m1, 1
  %m2.p = getelementptr i8, ptr %in, i64 19
  %m2.w = load i24, ptr %m2.p, align 1
  %m2 = or i24 %m2.w, 0
  %r2 = insertvalue <{ i8, i128, i24 }> %r1, i24 %m2, 2
  ret <{ i8, i128, i24 }> %r2
}

define internal { <3 x float>, [2 x i1] } @"make { <3 x float>, [2 x i1] }"(ptr %in) {
  %m0.p = getelementptr i8, ptr %in, i64 1
  %m0.w = load i96, ptr %m0.p, align 1
  %m0 = or i96 %m0.w, 0
  %b0 = bitcast i96 %m0 to <3 x float>
  %r0 = insertvalue { <3 x float>, [2 x i1] } poison, <3 x float> %b0, 0
  %m1.p = getelementptr i8, ptr %in, i64 10
  %m1.w = load i8, ptr %m1.p, align 1
  %m1 = trunc i8 %m1.w to i1
  %r1 = insertvalue { <3 x float>, [2 x i1] } %r0, i1 %m1, 1, 0
  %m2.p = getelementptr i8, ptr %in, i64 19
  %m2.w = load i8, ptr %m2.p, align 1
  %m2 = trunc i8 %m2.w to i1
  %r2 = insertvalue { <3 x float>, [2 x i1] } %r1, i1 %m2, 1, 1
  ret { <3 x float>, [2 x i1] } %r2
}
