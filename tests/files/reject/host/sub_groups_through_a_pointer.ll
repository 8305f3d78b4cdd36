; A kernel that requires a size for its sub-groups and cannot run in rows is refused, with the line.
; kernel: indirect
; target: x86-64-v3
; dimensions: 1
; group-size: 32,1,1
; sub-group-size: 8
; ERROR: sub-groups of 8 work-items in a kernel with a call through a pointer
; ERROR: kernel.cpp:8
declare i64 @__acpp_sscp_get_local_id_x()
declare i32 @__acpp_sscp_sub_group_permute_i32(i32, i32)
define void @indirect(ptr %data, ptr %function) !dbg !5 {
  %l = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  %at = getelementptr inbounds i32, ptr %data, i64 %l
  %x = load i32, ptr %at, align 4
  %other = call i32 @__acpp_sscp_sub_group_permute_i32(i32 %x, i32 1), !dbg !8
  %y = call i32 %function(i32 %other), !dbg !9
  store i32 %y, ptr %at, align 4
  ret void
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
