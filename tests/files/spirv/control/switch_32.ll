; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSwitch
; CHECK: 0
define void @k(ptr %p, i32 %n) {
  switch i32 %n, label %end [ i32 0, label %a
    i32 1, label %b
    i32 2, label %a
    i32 3, label %b
    i32 4, label %a
    i32 5, label %b
    i32 6, label %a
    i32 7, label %b
    i32 8, label %a
    i32 9, label %b
    i32 10, label %a
    i32 11, label %b ]
a:
  store volatile i32 1, ptr %p
  br label %end
b:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
