; kernel: k
; target: spirv:opencl:-shader-clock
; ERROR: a clock cannot be used
; ERROR: the device lacks `shader-clock`
; ERROR: kernel.cpp:7
declare i64 @__acpp_sscp_read_cycle_clock()
define void @k(ptr %p) !dbg !5 {
  %a = call i64 @__acpp_sscp_read_cycle_clock(), !dbg !8
  store i64 %a, ptr %p, !dbg !8
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
