; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpPtrAccessChain
; CHECK: OpInBoundsPtrAccessChain
; CHECK: OpPtrAccessChain
; CHECK: OpPtrAccessChain
; CHECK: OpPtrAccessChain
%S = type { i32, [4 x { i8, <4 x float> }], ptr }
define void @k(ptr %p, i64 %i, i32 %j, i8 %n, i16 %m) {
  %a = getelementptr %S, ptr %p, i64 -1, i32 1, i64 %i, i32 1, i32 %j
  store volatile float 1.0, ptr %a
  %b = getelementptr inbounds %S, ptr %p, i32 %j, i32 2
  store volatile ptr null, ptr %b
  %c = getelementptr i8, ptr %p, i8 %n
  store volatile i8 1, ptr %c
  %d = getelementptr i16, ptr %p, i16 -3
  store volatile i16 1, ptr %d
  %e = getelementptr <8 x i16>, ptr %p, i64 %i, i16 %m
  store volatile i16 1, ptr %e
  ret void
}
