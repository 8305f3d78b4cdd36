; kernel: k
; target: amdgpu:gfx90a
; ERROR: `__acpp_sscp_print` cannot be used on amdgpu:gfx90a
@text = private constant [2 x i8] c"a\00"
declare void @__acpp_sscp_print(ptr)
define void @k(ptr %p) {
  call void @__acpp_sscp_print(ptr @text)
  store i32 1, ptr %p
  ret void
}
