; kernel: k
; target: spirv:opencl
; ERROR: the initial value of `t`, that is an address of local memory
@a = internal addrspace(3) global [64 x i32] undef
@t = internal constant [2 x ptr addrspace(3)] [ptr addrspace(3) @a, ptr addrspace(3) null]
define void @k(ptr %p, i64 %i) {
  %q = getelementptr ptr addrspace(3), ptr @t, i64 %i
  %s = load ptr addrspace(3), ptr %q
  store i32 3, ptr addrspace(3) %s
  ret void
}
