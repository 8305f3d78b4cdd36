; A barrier in a branch, and another one in the other: in a row, the lanes of one branch would wait
; while those of the other have yet to come to theirs. The remark names the line of the first barrier
; of the row.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; rows: 8
; REMARK: remark: kernel.cpp:9: work-items run one by one: a barrier in a branch, and work of others in another one
declare i64 @__acpp_sscp_get_local_id_x()
declare void @__acpp_sscp_work_group_barrier(i32, i32) convergent
define void @k(ptr %flag, ptr %data) !dbg !5 {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  %at = getelementptr i64, ptr %data, i64 %i, !dbg !8
  %x = load i64, ptr %at, align 8, !dbg !8
  %some = icmp sgt i64 %x, 3, !dbg !8
  br i1 %some, label %waits, label %others, !dbg !8
waits:
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3), !dbg !9
  %y = load i64, ptr %data, align 8, !dbg !9
  br label %end, !dbg !9
others:
  store i64 5, ptr %at, align 8, !dbg !10
  call void @__acpp_sscp_work_group_barrier(i32 2, i32 3), !dbg !10
  %z = load i64, ptr %flag, align 8, !dbg !10
  br label %end, !dbg !10
end:
  %r = phi i64 [ %y, %waits ], [ %z, %others ], !dbg !10
  store i64 %r, ptr %at, align 8, !dbg !10
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
