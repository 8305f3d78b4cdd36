; A kernel that is split at its barrier and inlined in loops keeps the lines of its body.
; kernel: k
; target: x86-64-v2
; line-tables
; CHECK: .file
; CHECK: kernel.cpp
; CHECK: .loc 0 7 3
; CHECK: .loc 0 9 3
; CHECK: .debug_info
declare void @__acpp_sscp_work_group_barrier(i32, i32)
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %base) !dbg !5 {
  %i = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  %p = getelementptr i32, ptr %base, i64 %i, !dbg !8
  %l = load i32, ptr %p, !dbg !8
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 4), !dbg !9
  %s = add i32 %l, 1, !dbg !10
  store i32 %s, ptr %p, !dbg !10
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
