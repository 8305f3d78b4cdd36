; The driver fills a table of more than 1,024 words where private memory must be small.
; kernel: k
; target: spirv:vulkan:1.5:-large-private-memory
; no-optimise
; CHECK: OpModuleProcessed "sinter.table=
@table = internal addrspace(4) constant { i32, [1024 x i32] } { i32 7, [1024 x i32] zeroinitializer }
define void @k(ptr addrspace(1) %p, i32 %i) {
  %place = getelementptr i32, ptr addrspace(4) @table, i32 %i
  %r = load i32, ptr addrspace(4) %place, align 4
  store i32 %r, ptr addrspace(1) %p, align 4
  ret void
}
