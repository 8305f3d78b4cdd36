; A kernel that calls itself cannot become the body of a loop.
; kernel: k
; ERROR: device code that calls the kernel or takes its address
; ERROR: a.cpp:7
define void @k(ptr %p, i32 %n) !dbg !3 {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %done, label %more
more:
  %m = sub i32 %n, 1
  call void @k(ptr %p, i32 %m), !dbg !5
  br label %done
done:
  store i32 %n, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cpp", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, unit: !0, type: !4, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 7, scope: !3)
