; A value without a form does not become rows, and the remark names its line.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; REMARK: remark: kernel.cpp:8: work-items run one by one: a value of type `i128`
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %data, i128 %wide) !dbg !5 {
  %i = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  %long = zext i64 %i to i128, !dbg !9
  %product = mul i128 %long, %wide, !dbg !9
  %at = getelementptr i128, ptr %data, i64 %i, !dbg !10
  store i128 %product, ptr %at, !dbg !10
  ret void, !dbg !10
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
!9 = !DILocation(line: 8, column: 3, scope: !5)
!10 = !DILocation(line: 9, column: 3, scope: !5)
