; An undefined function is reported with the way to it and its place in the source.
; kernel: _Z6kernelPi
; ERROR: `missing` (called through kernel(int*) -> helper(int*)) at app.cpp:12
; ERROR: define it in device code
declare void @missing(ptr)
define void @_Z6kernelPi(ptr %p) {
  call void @_Z6helperPi(ptr %p)
  ret void
}
define internal void @_Z6helperPi(ptr %p) !dbg !4 {
  call void @missing(ptr %p), !dbg !6
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "app.cpp", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "helper", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 12, scope: !4)
