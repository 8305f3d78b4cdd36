; kernel: k
; ERROR: a value of the type `<vscale x 4 x i32>`
; ERROR: use a vector of a fixed length
define void @k(ptr %out, ptr %in) {
  %v = load <vscale x 4 x i32>, ptr %in
  store <vscale x 4 x i32> %v, ptr %out
  ret void
}
