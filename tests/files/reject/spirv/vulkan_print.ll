; kernel: k
; target: spirv:vulkan
; ERROR: `printf`
; ERROR: Vulkan has no output of kernels
@text = internal constant [3 x i8] c"hi\00"
define void @k(ptr %p) {
  call void @__acpp_sscp_print(ptr @text)
  ret void
}
declare void @__acpp_sscp_print(ptr)
