; An object of a library is reported with the way to it. Functions of the headers between the kernel and the program's code are left out.
; kernel: _ZN4sycl6detail12kernel_entryIiEEvRKT_
; ERROR: `std::cout [_ZSt4cout]` (called through print(int*)) at app.cpp:12: it is of the host's C++ library, which devices do not have; print with `sycl::ext::oneapi::experimental::printf`, in HIP and CUDA with `printf`, or take it out of the kernel
; ERROR: `count` (called through print(int*))
%ostream = type { ptr, i64 }
@_ZSt4cout = external global %ostream
@count = external constant i64
declare void @write(ptr)
define void @_ZN4sycl6detail12kernel_entryIiEEvRKT_(ptr %p) {
  call void @_ZNK4sycl6detail3runIiEEvPi(ptr %p)
  ret void
}
define internal void @_ZNK4sycl6detail3runIiEEvPi(ptr %p) {
  call void @_Z5printPi(ptr %p)
  ret void
}
define internal void @_Z5printPi(ptr %p) !dbg !4 {
  call void @write(ptr @_ZSt4cout), !dbg !6
  %n = load i64, ptr @count
  store i64 %n, ptr %p
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "app.cpp", directory: "/src")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "print", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 12, scope: !4)
