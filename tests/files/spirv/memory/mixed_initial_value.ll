; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpConstantComposite
; CHECK: OpVariable
@s = internal constant { i8, float, <2 x i16>, [2 x half], i1, i24 } { i8 -1, float 2.0, <2 x i16> <i16 1, i16 -1>, [2 x half] [half 1.0, half undef], i1 true, i24 -2 }
@u = internal constant { i8, float, <2 x i16>, [2 x half] } { i8 -1, float 2.0, <2 x i16> <i16 1, i16 -1>, [2 x half] [half 1.0, half undef] }
define void @k(ptr %p, i64 %i) {
  %a = load volatile float, ptr getelementptr ({ i8, float, <2 x i16>, [2 x half], i1, i24 }, ptr @s, i32 0, i32 1)
  store volatile float %a, ptr %p
  %b = load volatile half, ptr getelementptr ({ i8, float, <2 x i16>, [2 x half] }, ptr @u, i32 0, i32 3, i32 0)
  store volatile half %b, ptr %p
  ret void
}
