; kernel: k
; ERROR: 2147483648 bytes of local memory cannot be used on
; ERROR: (at kernel.cpp:7)
; ERROR: the limit is 1073741824 bytes
declare ptr addrspace(3) @__sinter_local_memory(i64, i64)
define void @k(i64 %n) !dbg !3 {
  %a = call ptr addrspace(3) @__sinter_local_memory(i64 2147483648, i64 16), !dbg !4
  store volatile i32 1, ptr addrspace(3) %a
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.cpp", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 6, unit: !0, spFlags: DISPFlagDefinition, type: !5)
!4 = !DILocation(line: 7, column: 3, scope: !3)
!5 = !DISubroutineType(types: !{})
