; A constant cannot hold the address of a device global.
; kernel: k
; ERROR: the address of the device_global `counter` in another variable
@__sinter_device_global.counter = external global { ptr, i32 }
@table = internal constant [2 x ptr] [ptr @__sinter_device_global.counter, ptr null]
define void @k(ptr %p, i64 %n) {
  %at = getelementptr [2 x ptr], ptr @table, i64 0, i64 %n
  %v = load ptr, ptr %at
  store ptr %v, ptr %p
  ret void
}
