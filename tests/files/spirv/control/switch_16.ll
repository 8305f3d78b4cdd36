; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSwitch
; CHECK: 35536
define void @k(ptr %p, i16 %n) {
  switch i16 %n, label %end [ i16 -30000, label %a
    i16 7, label %b ]
a:
  store volatile i32 1, ptr %p
  br label %end
b:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
