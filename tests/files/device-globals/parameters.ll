; Device globals become parameters after the kernel's own, at constant offsets and in functions too;
; one that the kernel does not reach becomes none.
; kernel: k
; step: device-globals
; CHECK-NOT: @__sinter_device_global
; CHECK: define void @k(ptr noalias %0, ptr %1, ptr %2)
; CHECK: getelementptr i8, ptr %1, i64 8
; CHECK: store ptr %2, ptr %0
; CHECK-NOT: @__sinter_device_global
; CHECK-NOT: @add
@__sinter_device_global.first = external global { ptr, i32 }
@__sinter_device_global.second = external global { ptr, i64 }
@__sinter_device_global.unused = external global { ptr, i64 }
define void @k(ptr noalias %p) {
  %a = load i32, ptr getelementptr (i8, ptr @__sinter_device_global.first, i64 8)
  store i32 %a, ptr %p
  call void @add(ptr %p)
  ret void
}
define void @add(ptr %p) noinline {
  store ptr @__sinter_device_global.second, ptr %p
  ret void
}
define void @other() {
  store i64 1, ptr @__sinter_device_global.unused
  ret void
}
