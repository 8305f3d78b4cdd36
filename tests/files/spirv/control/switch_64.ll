; kernel: k
; target: spirv:opencl
; no-optimise
; CHECK: OpSwitch
; CHECK: 18446744073709551615
define void @k(ptr %p, i64 %n) {
  switch i64 %n, label %end [ i64 -1, label %a
    i64 81985529216486895, label %b ]
a:
  store volatile i32 1, ptr %p
  br label %end
b:
  store volatile i32 2, ptr %p
  br label %end
end:
  ret void
}
