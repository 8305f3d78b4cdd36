; kernel: k
; target: spirv:opencl
; ERROR: the initial value of `t`, that names the variable itself
@t = internal global { i32, ptr } { i32 4, ptr @t }
define void @k(ptr %p, i64 %i) {
  %v = load volatile i32, ptr @t
  store i32 %v, ptr %p
  ret void
}
