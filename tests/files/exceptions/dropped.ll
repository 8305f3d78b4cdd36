; A call that may throw becomes a plain call; landing pads disappear.
; kernel: k
; step: prune
; CHECK: store i32 1
; CHECK-NOT: invoke
; CHECK-NOT: landingpad
declare i32 @__gxx_personality_v0(...)
define void @k(ptr %p) personality ptr @__gxx_personality_v0 {
  invoke void @helper(ptr %p) to label %done unwind label %cleanup
done:
  ret void
cleanup:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
define internal void @helper(ptr %p) noinline optnone {
  store i32 1, ptr %p
  ret void
}
