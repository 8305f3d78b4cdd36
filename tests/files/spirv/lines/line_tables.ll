; kernel: k
; target: spirv:opencl
; no-optimise
; line-tables
; CHECK: OpString
; CHECK: kernel.cpp
; CHECK: OpLine
; CHECK: 8 4
; CHECK: OpLine
; CHECK: 7 3
; CHECK: OpPhi
define void @k(ptr %p, i1 %c) !dbg !5 {
  br i1 %c, label %a, label %b, !dbg !9
a:
  store volatile i32 3, ptr %p, !dbg !8
  br label %b, !dbg !8
b:
  %r = phi i32 [ 1, %0 ], [ 2, %a ], !dbg !8
  store i32 %r, ptr %p, !dbg !8
  ret void, !dbg !9
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
!9 = !DILocation(line: 8, column: 4, scope: !5)
