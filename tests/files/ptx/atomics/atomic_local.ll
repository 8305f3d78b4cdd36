; kernel: k
; target: ptx:sm_90
; CHECK: atom.relaxed.sys.shared.add.u32
@c = internal addrspace(3) global i32 undef
define void @k(ptr %p) {
  %c = addrspacecast ptr addrspace(3) @c to ptr
  %a = atomicrmw add ptr %c, i32 1 monotonic
  store i32 %a, ptr %p
  ret void
}
