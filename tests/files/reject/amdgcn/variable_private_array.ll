; kernel: k
; target: amdgpu:gfx90a
; ERROR: a private array of variable length
define void @k(ptr %p, i32 %n) {
  %a = alloca i32, i32 %n
  store volatile i32 %n, ptr %a
  ret void
}
