; A specialization constant has the bytes that were given, or its default; branches on it disappear.
; kernel: k
; step: prune
; constant: width=bytes:0x10000000
; constant: pair=bytes:0x0100000000000440
; constant: scale=f32:2.5
; CHECK: define void @k
; CHECK: store volatile i32 16
; CHECK: store volatile i32 7
; CHECK: store volatile float 2.500000e+00
; CHECK: store volatile i32 1,
; CHECK: store volatile float 2.062500e+00
; CHECK-NOT: @never
; CHECK-NOT: @__sinter_specialization_constant
@width = linkonce_odr constant { i32 } { i32 4 }
@depth = internal constant { i32 } { i32 7 }
@pair = internal constant { i32, float } { i32 3, float 4.0 }
@scale = internal constant { float } { float 1.0 }
declare ptr @__sinter_specialization_constant(ptr)
declare void @never()
define void @k(ptr %p) {
  %copy = alloca { i32, float }
  %w = call ptr @__sinter_specialization_constant(ptr @width)
  %width = load i32, ptr %w
  %small = icmp slt i32 %width, 8
  br i1 %small, label %bad, label %good
bad:
  call void @never()
  ret void
good:
  store volatile i32 %width, ptr %p
  %d = call ptr @read(ptr @depth)
  %depth = load i32, ptr %d
  store volatile i32 %depth, ptr %p
  %s = call ptr @read(ptr @scale)
  %scale = load float, ptr %s
  store volatile float %scale, ptr %p
  %r = call ptr @read(ptr @pair)
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %r, i64 8, i1 false)
  %first = load i32, ptr %copy
  store volatile i32 %first, ptr %p
  %at = getelementptr i8, ptr %copy, i64 4
  %second = load float, ptr %at
  store volatile float %second, ptr %p
  ret void
}
define internal ptr @read(ptr %id) noinline {
  %slot = alloca ptr
  store ptr %id, ptr %slot
  %again = load ptr, ptr %slot
  %value = call ptr @inner(ptr %again)
  ret ptr %value
}
define internal ptr @inner(ptr %id) {
  %value = call ptr @__sinter_specialization_constant(ptr %id)
  ret ptr %value
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
