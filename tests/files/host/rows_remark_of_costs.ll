; Rows that are not worth it: the remark names the line of what costs most.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; REMARK: remark: kernel.cpp:8: work-items run one by one: a row would take about
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %data, i64 %n) !dbg !5 {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  br label %loop, !dbg !8
loop:
  %x = phi i64 [ %i, %entry ], [ %y, %loop ], !dbg !8
  %k = phi i64 [ 0, %entry ], [ %next, %loop ], !dbg !8
  %some = or i64 %x, 1, !dbg !8
  %y = udiv i64 %k, %some, !dbg !9
  %next = add i64 %k, 1, !dbg !8
  %more = icmp ult i64 %next, %n, !dbg !8
  br i1 %more, label %loop, label %done, !dbg !8
done:
  %at = getelementptr i64, ptr %data, i64 %i, !dbg !10
  store i64 %y, ptr %at, !dbg !10
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
