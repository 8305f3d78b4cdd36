; A loop that may wait for another work-item: the remark names its line.
; kernel: k
; target: x86-64-v3
; dimensions: 1
; group-size: 64,1,1
; REMARK: remark: kernel.cpp:8: work-items run one by one: a loop may wait for what another work-item writes
declare i64 @__acpp_sscp_get_local_id_x()
define void @k(ptr %flag, ptr %data) !dbg !5 {
entry:
  %i = call i64 @__acpp_sscp_get_local_id_x(), !dbg !8
  %at = getelementptr i64, ptr %data, i64 %i, !dbg !8
  br label %wait, !dbg !8
wait:
  %rounds = phi i64 [ 0, %entry ], [ %next, %wait ], !dbg !8
  %seen = load atomic i32, ptr %flag monotonic, align 4, !dbg !9
  %next = add i64 %rounds, 1, !dbg !8
  store i64 %next, ptr %at, !dbg !8
  %again = icmp eq i32 %seen, 0, !dbg !8
  br i1 %again, label %wait, label %done, !dbg !8
done:
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
