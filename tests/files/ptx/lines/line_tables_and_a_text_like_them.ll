; kernel: k
; target: ptx:sm_90
; line-tables
; CHECK: 101, 109, 105, 115, 115, 105, 111, 110, 75, 105, 110, 100, 58, 32, 70, 117, 108, 108, 68, 101, 98, 117, 103, 33
@s = internal constant [25 x i8] c"emissionKind: FullDebug!\00"
define void @k(ptr %p, i64 %i) !dbg !5 {
  %q = getelementptr i8, ptr @s, i64 %i
  %v = load i8, ptr %q, !dbg !8
  store i8 %v, ptr %p, !dbg !8
  ret void, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cpp", directory: "/x")
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 3, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 4, column: 1, scope: !5)
