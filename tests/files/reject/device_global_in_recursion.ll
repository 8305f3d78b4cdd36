; A recursive function cannot get the address of a device global.
; kernel: k
; ERROR: the device_global `counter` in `descend`, which cannot be inlined into the kernel
@__sinter_device_global.counter = external global { ptr, i32 }
define void @k(i32 %n) {
  call void @descend(i32 %n)
  ret void
}
define void @descend(i32 %n) {
  store i32 %n, ptr getelementptr (i8, ptr @__sinter_device_global.counter, i64 8)
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %out, label %on
on:
  %m = sub i32 %n, 1
  call void @descend(i32 %m)
  br label %out
out:
  ret void
}
