; kernel: k
; target: spirv:vulkan:1.5:-local-int64-atomics
; ERROR: an atomic operation on 64 bits in local memory
; ERROR: the device lacks `local-int64-atomics`
; ERROR: use 32 bits, or global memory
; ERROR: kernel.cpp:7
@long = internal addrspace(3) global i64 undef, align 8
define void @k(ptr addrspace(1) %p) !dbg !5 {
  %a = atomicrmw add ptr addrspace(3) @long, i64 1 monotonic, !dbg !8
  store i64 %a, ptr addrspace(1) %p, align 8, !dbg !8
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "kernel.cpp", directory: "/source")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 6, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 7, column: 3, scope: !5)
