; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSwitch
; CHECK: 255
define void @k(ptr %p, i8 %n) {
  switch i8 %n, label %end [ i8 -1, label %a
    i8 2, label %b
    i8 -128, label %a ]
a:
  store volatile i32 1, ptr %p
  br label %end
b:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
