; kernel: k
; target: spirv:opencl:-int64-atomics
; ERROR: (at kernel.cpp:7, in /opt/sinter/include/sycl/detail/atomics.hpp:66)
define void @k(ptr addrspace(1) %p) !dbg !5 {
  %v = atomicrmw add ptr addrspace(1) %p, i64 1 syncscope("device") monotonic, align 8, !dbg !11
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
!9 = !DIFile(filename: "/opt/sinter/include/sycl/detail/atomics.hpp", directory: "")
!10 = distinct !DISubprogram(name: "add", scope: !9, file: !9, line: 60, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!11 = distinct !DILocation(line: 66, column: 5, scope: !10, inlinedAt: !8)
